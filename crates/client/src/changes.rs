//! The change feed.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Call, ContactHub, Error, Method};

/// How long a call waits for a change; the longest that the service allows.
const WAIT: Duration = Duration::from_secs(25);

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ChangeType {
    /// A contact was created.
    #[serde(rename = "contact.created")]
    ContactCreated,
    /// A contact was changed.
    #[serde(rename = "contact.updated")]
    ContactUpdated,
    /// A contact was deleted.
    #[serde(rename = "contact.deleted")]
    ContactDeleted,
    /// A deleted contact was created again.
    #[serde(rename = "contact.restored")]
    ContactRestored,
    /// A contact was erased.
    #[serde(rename = "contact.erased")]
    ContactErased,
    /// A field was created.
    #[serde(rename = "field.created")]
    FieldCreated,
    /// A field was changed.
    #[serde(rename = "field.updated")]
    FieldUpdated,
    /// A sync was requested.
    #[serde(rename = "sync.requested")]
    SyncRequested,
    /// A platform reported that a sync is complete.
    #[serde(rename = "sync.completed")]
    SyncCompleted,
    /// A sync failed.
    #[serde(rename = "sync.failed")]
    SyncFailed,
    /// A type that this version of the client does not know.
    #[serde(untagged)]
    Other(String),
}

/// An entry of the change feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Change {
    /// The id of the entry, unique in the company.
    pub id: String,
    /// What happened.
    pub r#type: ChangeType,
    /// When it happened, in RFC 3339.
    pub at: String,
    /// The id of the contact, field or sync.
    pub object_id: String,
    /// The names of the properties that changed; of a field value `field:` and its key.
    pub changed: Vec<String>,
    /// The user who made the change; `None` for the service and its operator.
    pub actor: Option<String>,
    /// The id of the request that made it.
    pub request_id: Option<String>,
}

/// Where the feed continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Next {
    /// The cursor of the next call.
    pub next: String,
}

impl ContactHub {
    /// Reads a page of the change feed after a cursor, or the oldest entries that are kept without one. The cursor
    /// `latest` gives an empty page with the cursor of the feed's end.
    pub fn list_changes(&self, after: Option<&str>) -> Call<Vec<Change>, Next> {
        let call = self.call(Method::Get, ["api", "manage", "v1", "changes"]);
        match after {
            Some(cursor) => call.query("after", cursor),
            None => call,
        }
    }

    /// Follows the change feed after a cursor, or from the oldest entries that are kept without one.
    #[must_use]
    pub fn changes(&self, after: Option<&str>) -> Changes {
        let timeout = self.timeout.saturating_add(WAIT);
        Changes { hub: self.clone().with_timeout(timeout), after: after.map(str::to_owned) }
    }
}

/// The change feed, page by page. It has no end.
#[derive(Debug)]
pub struct Changes {
    hub: ContactHub,
    after: Option<String>,
}

impl Changes {
    /// Waits for the next entries, at least one. Store [`Self::cursor`] once they are processed, and begin there the
    /// next time. An error with the code `CURSOR_EXPIRED` means that a copy has to be made from a new export.
    pub async fn next(&mut self) -> Result<Vec<Change>, Error> {
        loop {
            let call = self.hub.list_changes(self.after.as_deref());
            let page = call.query("wait", WAIT.as_secs().to_string()).await?;
            self.after = Some(page.meta.next);
            if !page.data.is_empty() {
                return Ok(page.data);
            }
        }
    }

    /// The cursor after the entries that were read so far.
    #[must_use]
    pub fn cursor(&self) -> Option<&str> {
        self.after.as_deref()
    }
}
