//! Read the feed.

use super::{ChangesError, ChangesOutcome, ChangesPage, ChangesQuery};
use crate::context::{ChangePorts, Context};

/// The entries after a position. When there is none, it waits for the first, as the query says.
pub async fn list(
    cx: &Context<'_, ChangePorts>,
    query: ChangesQuery,
) -> Result<ChangesPage, ChangesError> {
    match cx.ports.changes.list_changes(cx.caller.company.id, query).await? {
        ChangesOutcome::Found(page) => Ok(page),
        ChangesOutcome::Expired => Err(ChangesError::CursorExpired),
    }
}
