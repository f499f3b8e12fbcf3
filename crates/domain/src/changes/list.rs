//! Read the feed.

use super::{ChangeEntry, ChangesError, ChangesOutcome, ChangesPage, ChangesQuery};
use crate::context::{ChangePorts, Context};
use crate::ids::ContactId;

/// The entries after a position. If there are none, waits for the first one as long as the query says.
pub async fn list(
    cx: &Context<'_, ChangePorts>,
    query: ChangesQuery,
) -> Result<ChangesPage, ChangesError> {
    match cx.ports.changes.list_changes(cx.caller.company.id, query).await? {
        ChangesOutcome::Found(page) => Ok(page),
        ChangesOutcome::Expired => Err(ChangesError::CursorExpired),
    }
}

/// The latest entries of a contact, the newest first.
pub async fn of_contact(
    cx: &Context<'_, ChangePorts>,
    id: ContactId,
    limit: u32,
) -> Result<Vec<ChangeEntry>, ChangesError> {
    let company = cx.caller.company.id;
    let mut entries = cx.ports.changes.changes_of(company, id.uuid(), limit).await?;
    entries.reverse();
    Ok(entries)
}
