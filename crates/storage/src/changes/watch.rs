//! Wakes the calls that wait for an entry, even for one that becomes visible because an older transaction ends.

use std::collections::HashMap;
use std::time::Duration;

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::changes::Position;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::position::Horizon;
use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::sql;
use crate::units::Reading;
use crate::waiting::{Place, Waiting};

/// The interval between two statements.
const EVERY: Duration = Duration::from_millis(100);

/// How many calls of a company, and of all, are held at once.
const MAX_OF_COMPANY: usize = 64;
const MAX: usize = 2000;

/// The calls that wait for an entry after a position.
pub(crate) type ChangeWatch = Waiting<Position, ()>;

/// Begins to wait for an entry after a position; `None` when too many calls wait.
pub(super) fn join(
    storage: &Storage,
    company: CompanyId,
    after: Position,
) -> Option<Place<'_, Position, ()>> {
    storage.change_watch().join(company, after, (MAX_OF_COMPANY, MAX), || {
        storage.dispatch().runtime.spawn(watch(storage.clone()));
    })
}

async fn watch(storage: Storage) {
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(calls) = storage.change_watch().calls() else { return };
        match grown(&storage, earliest(&calls)).await {
            Ok(companies) => {
                storage
                    .change_watch()
                    .wake(|company, _| companies.contains(&company).then_some(()));
            }
            Err(error) => tracing::debug!(%error, "the feeds were not read; the next run retries"),
        }
    }
}

/// The earliest position of each company for which a call waits.
fn earliest(calls: &[(CompanyId, Position)]) -> Vec<(CompanyId, Position)> {
    let mut earliest: HashMap<CompanyId, Position> = HashMap::new();
    for (company, after) in calls {
        let position = earliest.entry(*company).or_insert(*after);
        *position = (*after).min(*position);
    }
    earliest.into_iter().collect()
}

#[derive(QueryableByName)]
struct Grown {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
}

/// The companies that have an entry after these positions.
async fn grown(
    storage: &Storage,
    waiting: Vec<(CompanyId, Position)>,
) -> Result<Vec<CompanyId>, StoreError> {
    let unit = move |connection: &mut Connection| -> Result<Vec<CompanyId>, Failure> {
        let horizon = Horizon::read(connection)?;
        let id = |(company, _): &(CompanyId, Position)| -> Uuid { company.uuid() };
        let source = Source::of(&waiting)
            .ids("company_id", id)
            .ints("after_position", |(_, after)| after.number)
            .ints("after_ordinal", |(_, after)| i64::from(after.ordinal));
        let select = sql!(
            "SELECT source.company_id FROM {} WHERE EXISTS (SELECT 1 FROM changes \
             WHERE changes.company_id = source.company_id \
             AND (position, ordinal) > (source.after_position, source.after_ordinal){} \
             ORDER BY position, ordinal LIMIT 1 OFFSET 0)",
            source.table(connection),
            horizon.is_after_entry(),
        );
        let grown: Vec<Grown> = connection.rows(select)?;
        Ok(grown.into_iter().map(|grown| CompanyId::new(grown.company_id.0)).collect())
    };
    storage.read(Reading::Control, unit).await
}
