//! A link to a saved view of the list.

use contact_hub_domain::contacts::View;

use crate::pages::caller::PageCaller;

/// A view above the list.
pub(super) struct ViewLink {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) href: String,
    /// Whether it is what the list shows.
    pub(super) is_current: bool,
    /// Whether the person may delete it.
    pub(super) is_own: bool,
    pub(super) is_shared: bool,
}

impl ViewLink {
    pub(super) fn new(view: &View, caller: &PageCaller, current: &str) -> Self {
        let query = view.query.as_str();
        Self {
            id: view.id.to_string(),
            name: view.name.as_str().to_owned(),
            href: if query.is_empty() {
                "/contacts".to_owned()
            } else {
                format!("/contacts?{query}")
            },
            is_current: query == current,
            is_own: view.owner == caller.holder().caller.user_id,
            is_shared: view.is_shared,
        }
    }
}
