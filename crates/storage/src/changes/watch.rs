//! Wakes the calls that wait for an entry.
//!
//! One statement asks for all of them whether there is one, so the number of statements does not grow with the number of
//! calls. It also finds entries that other instances wrote, and those that became visible because an older transaction
//! ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use diesel::QueryableByName;
use tokio::sync::Notify;
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

/// The interval between two statements.
const EVERY: Duration = Duration::from_millis(100);

/// How many calls of a company, and of all, are held at once.
const MOST_OF_COMPANY: usize = 64;
const MOST: usize = 2000;

/// The calls that wait.
#[derive(Default)]
pub(crate) struct ChangeWatch(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: HashMap<u64, Waiting>,
    last_id: u64,
    /// Whether a task asks for them.
    is_watched: bool,
}

struct Waiting {
    company: CompanyId,
    after: Position,
    found: Arc<Notify>,
}

/// A call's place among those that wait. Dropping it ends the wait.
pub(super) struct Place<'a> {
    watch: &'a ChangeWatch,
    id: u64,
    found: Arc<Notify>,
}

impl Place<'_> {
    /// Waits until there is an entry.
    pub(super) async fn found(&self) {
        self.found.notified().await;
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.watch.state().waiting.remove(&self.id);
    }
}

impl ChangeWatch {
    /// Begins to wait for an entry after a position; `None` when too many calls wait.
    pub(super) fn join<'a>(
        &'a self,
        storage: &Storage,
        company: CompanyId,
        after: Position,
    ) -> Option<Place<'a>> {
        let mut state = self.state();
        let of_company = state.waiting.values().filter(|it| it.company == company).count();
        if state.waiting.len() >= MOST || of_company >= MOST_OF_COMPANY {
            return None;
        }
        state.last_id += 1;
        let (id, found) = (state.last_id, Arc::<Notify>::default());
        state.waiting.insert(id, Waiting { company, after, found: Arc::clone(&found) });
        if !std::mem::replace(&mut state.is_watched, true) {
            storage.dispatch().runtime.spawn(watch(storage.clone()));
        }
        Some(Place { watch: self, id, found })
    }

    /// The earliest position of each company for which a call waits; `None` when none waits, which ends the task.
    fn earliest(&self) -> Option<Vec<(CompanyId, Position)>> {
        let mut state = self.state();
        if state.waiting.is_empty() {
            state.is_watched = false;
            return None;
        }
        let mut earliest: HashMap<CompanyId, Position> = HashMap::new();
        for waiting in state.waiting.values() {
            let position = earliest.entry(waiting.company).or_insert(waiting.after);
            *position = waiting.after.min(*position);
        }
        Some(earliest.into_iter().collect())
    }

    fn wake(&self, companies: &[CompanyId]) {
        for waiting in self.state().waiting.values() {
            if companies.contains(&waiting.company) {
                waiting.found.notify_one();
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn watch(storage: Storage) {
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(waiting) = storage.change_watch().earliest() else { return };
        match grown(&storage, waiting).await {
            Ok(companies) => storage.change_watch().wake(&companies),
            Err(error) => tracing::debug!(%error, "the feeds were not read; the next run retries"),
        }
    }
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
