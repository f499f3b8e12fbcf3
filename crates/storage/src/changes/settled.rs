//! Reads the feed for a call that does not wait: with all entries that were committed before it, so a client that has just
//! written reads the entry of its own write.
//!
//! A transaction that was in progress when they were committed holds them back. Most end within milliseconds.

use std::time::Duration;

use contact_hub_domain::changes::{ChangesOutcome, ChangesQuery};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::list;
use super::position::Horizon;
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::units::Reading;

/// How long a call pauses before it reads again, in milliseconds. After the last pause it returns what it has: a transaction
/// may take as long as a statement may.
const PAUSES: [u64; 7] = [5, 10, 20, 40, 80, 160, 320];

struct Listed {
    outcome: ChangesOutcome,
    /// Entries up to this position are held back, and there is room for them.
    held_back: Option<i64>,
}

pub(super) async fn list(
    storage: &Storage,
    company: CompanyId,
    query: &ChangesQuery,
) -> Result<ChangesOutcome, StoreError> {
    let mut listed = read(storage, company, query, None).await?;
    for pause in PAUSES {
        let Some(last) = listed.held_back else { break };
        tokio::time::sleep(Duration::from_millis(pause)).await;
        listed = read(storage, company, query, Some(last)).await?;
    }
    Ok(listed.outcome)
}

/// Reads the entries up to `last`, or, if there is none, up to the last committed one.
async fn read(
    storage: &Storage,
    company: CompanyId,
    query: &ChangesQuery,
    last: Option<i64>,
) -> Result<Listed, StoreError> {
    let query = query.clone();
    let unit = move |connection: &mut Connection| -> Result<Listed, Failure> {
        let horizon = Horizon::read(connection)?;
        let outcome = list::list(connection, company, &query, horizon)?;
        let has_room = match &outcome {
            ChangesOutcome::Found(page) => !list::is_full(page, &query),
            ChangesOutcome::Expired => false,
        };
        let held_back = match last {
            _ if !has_room => None,
            Some(last) => (!horizon.is_beyond(last)).then_some(last),
            None => horizon.last_held_back(connection, company)?,
        };
        Ok(Listed { outcome, held_back })
    };
    storage.read(Reading::OrderedMany(company), unit).await
}
