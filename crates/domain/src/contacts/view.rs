//! Saved views: lists of contacts that a person looks at again.

use async_trait::async_trait;
use url::form_urlencoded::byte_serialize;

use crate::author::Author;
use crate::ids::{CompanyId, UserId, ViewId};
use crate::ports::StoreError;
use crate::property::Property;
use crate::rules::{optional, required};
use crate::text;
use crate::texts::texts;
use crate::time::Timestamp;

/// The maximum number of views of a user.
pub const MAX_VIEWS: usize = 50;

/// The longest name of a view, in code points.
const MAX_NAME: usize = 60;

/// The longest query of a view, in code points.
const MAX_QUERY: usize = 2000;

texts! {
    /// A view's name.
    ViewName, |text| text::name(text, MAX_NAME);
    /// The query of a view, as the pages encode it.
    ViewQuery, |text| text::bounded(text, MAX_QUERY);
}

impl ViewQuery {
    /// A text as a query encodes it, in lower case.
    #[must_use]
    pub fn written(text: &str) -> String {
        byte_serialize(text.as_bytes()).collect::<String>().to_lowercase()
    }
}

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The service's id.
    pub id: ViewId,
    /// The user who saved it.
    pub owner: UserId,
    /// The name.
    pub name: ViewName,
    /// What it shows.
    pub query: ViewQuery,
    /// Whether everyone in the company sees it.
    pub is_shared: bool,
    /// When it was saved.
    pub created_at: Timestamp,
}

/// The input for a view.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct ViewDraft {
    /// Required.
    #[garde(custom(required))]
    pub name: Property<ViewName>,
    /// Optional: a view of all contacts has none.
    #[garde(custom(optional))]
    pub query: Property<ViewQuery>,
    /// Whether everyone in the company sees it.
    #[garde(skip)]
    pub is_shared: bool,
}

/// Stores the views of all users.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ViewStore: Send + Sync {
    /// The views of a user, and then those that others in the company share, each in the order in which they were saved.
    /// At most `limit` of both.
    async fn views(
        &self,
        company: CompanyId,
        user: UserId,
        limit: usize,
    ) -> Result<Vec<View>, StoreError>;

    /// Stores a view, unless its owner has `max`; returns whether it did.
    async fn save_view(&self, by: Author, view: View, max: usize) -> Result<bool, StoreError>;

    /// Deletes a view of the author; returns false when there is none.
    async fn delete_view(&self, by: Author, id: ViewId, at: Timestamp) -> Result<bool, StoreError>;
}
