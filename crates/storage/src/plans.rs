//! Records the query plan of each statement, so that tests can check that no statement reads more rows than necessary.
//!
//! While a database is recorded, each statement is explained on its own connection, with its own values, right before
//! it runs. EXPLAIN statements are not counted. Nothing is recorded unless a test asks for it; otherwise a statement
//! and each of its rows cost one atomic read more.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::connection::{Connection, observe_statements};
use crate::connections::url::DatabaseUrl;
use crate::dialect::{database_name, explain};
use crate::failure::Failure;
use crate::seen;
use crate::statement::Statement;

static RECORDED: Mutex<BTreeMap<String, Vec<RecordedPlan>>> = Mutex::new(BTreeMap::new());

thread_local! {
    static IS_EXPLAINING: Cell<bool> = const { Cell::new(false) };
}

/// The statements that can be explained begin like this.
const EXPLAINABLE: [&str; 5] = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"];

/// A statement as it was run, and the database's plan for it, line by line; deeper steps are indented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPlan {
    /// The statement's text.
    pub statement: String,
    /// The plan.
    pub plan: Vec<String>,
    /// Whether the connection keeps it prepared.
    pub is_kept: bool,
}

/// Records the plan of every statement on this database from now on, once for each text.
pub fn record_plans(url: &DatabaseUrl) {
    observe_statements(note);
    if recorded().insert(name_of(url), Vec::new()).is_none() {
        seen::start();
    }
}

/// Ends the recording of this database and returns what was recorded.
#[must_use]
pub fn take_plans(url: &DatabaseUrl) -> Vec<RecordedPlan> {
    let taken = recorded().remove(&name_of(url));
    if taken.is_some() {
        seen::stop();
    }
    taken.unwrap_or_default()
}

/// Called before a statement runs.
fn note(connection: &mut Connection, statement: &Statement) {
    let explainable = || EXPLAINABLE.iter().any(|word| statement.text().starts_with(word));
    if !seen::is_recording() || is_explaining() || !explainable() {
        return;
    }
    IS_EXPLAINING.set(true);
    record(connection, statement).unwrap_or_else(|failure| {
        tracing::error!(cause = ?failure, "a statement was not explained");
    });
    IS_EXPLAINING.set(false);
}

/// Whether this thread is running an EXPLAIN of the recording.
pub(crate) fn is_explaining() -> bool {
    IS_EXPLAINING.get()
}

fn record(connection: &mut Connection, statement: &Statement) -> Result<(), Failure> {
    let database = database_name(connection)?;
    let known = |it: &Vec<RecordedPlan>| it.iter().any(|plan| plan.statement == statement.text());
    if recorded().get(&database).is_none_or(known) {
        return Ok(());
    }
    let plan = explain(connection, statement.clone())?;
    if let Some(plans) = recorded().get_mut(&database) {
        let is_kept = statement.keeps_prepared();
        plans.push(RecordedPlan { statement: statement.text().to_owned(), plan, is_kept });
    }
    Ok(())
}

/// The name that [`database_name`] returns for this address.
fn name_of(url: &DatabaseUrl) -> String {
    match url {
        DatabaseUrl::Sqlite(path) => path.clone(),
        DatabaseUrl::Postgres(url) => {
            let path = url.split('?').next().unwrap_or_default();
            path.rsplit('/').next().unwrap_or_default().to_owned()
        }
    }
}

fn recorded() -> MutexGuard<'static, BTreeMap<String, Vec<RecordedPlan>>> {
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
}
