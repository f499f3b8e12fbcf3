//! List, save and delete views.

use super::ContactsError;
use super::view::{MAX_VIEWS, View, ViewDraft, ViewQuery};
use crate::context::{Context, ViewPorts};
use crate::ids::ViewId;
use crate::limits::exceeded;
use crate::ports::StoreError;
use crate::rules::valid;

/// The caller's views, and those that others share.
pub async fn views(cx: &Context<'_, ViewPorts>) -> Result<Vec<View>, StoreError> {
    cx.ports.views.views(cx.caller.company.id, cx.caller.user_id, MAX_VIEWS).await
}

/// Saves a view.
pub async fn save_view(
    cx: &Context<'_, ViewPorts>,
    draft: &ViewDraft,
) -> Result<View, ContactsError> {
    let view = valid(draft, (), |()| {
        Some(View {
            id: ViewId::new(cx.ports.environment.ids.next()),
            owner: cx.caller.user_id,
            name: draft.name.value()?,
            query: draft.query.value().unwrap_or_else(|| ViewQuery::from_stored(String::new())),
            is_shared: draft.is_shared,
            created_at: cx.ports.environment.clock.now(),
        })
    })?;
    if cx.ports.views.save_view(cx.author(), view.clone(), MAX_VIEWS).await? {
        Ok(view)
    } else {
        Err(exceeded("name", "a user", MAX_VIEWS, "view").into())
    }
}

/// Deletes a view of the caller; false if the caller has no such view.
pub async fn delete_view(cx: &Context<'_, ViewPorts>, id: ViewId) -> Result<bool, StoreError> {
    let at = cx.ports.environment.clock.now();
    cx.ports.views.delete_view(cx.author(), id, at).await
}
