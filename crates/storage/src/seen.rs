//! Records the types of the values that statements return, for a test that each row declares the types of its columns.
//!
//! Diesel reads a column of a text statement as what the row declares. SQLite converts without an error, and PostgreSQL
//! sends bytes that may have another meaning. Values are recorded while plans are; see [`crate::plans`].

use std::any::type_name;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use diesel::backend::Backend;
use diesel::deserialize::{self, QueryableByName};
use diesel::pg::Pg;
use diesel::row::{Field, NamedRow, Row};
use diesel::sqlite::Sqlite;

/// How many databases are recorded.
static RECORDING: AtomicUsize = AtomicUsize::new(0);
static SEEN: Mutex<BTreeSet<SeenValue>> = Mutex::new(BTreeSet::new());

/// A column of a row in which a value of this type was returned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeenValue {
    /// The path of the row's type.
    pub row: &'static str,
    /// The name of the column.
    pub column: String,
    /// The value's type: its object id on PostgreSQL, its storage class on SQLite.
    pub kind: String,
}

/// Records from now on. Each call needs a later one of [`stop`].
pub(crate) fn start() {
    RECORDING.fetch_add(1, Ordering::Relaxed);
}

/// Ends what [`start`] began.
pub(crate) fn stop() {
    RECORDING.fetch_sub(1, Ordering::Relaxed);
}

/// Whether plans and values are recorded.
pub(crate) fn is_recording() -> bool {
    RECORDING.load(Ordering::Relaxed) > 0
}

/// What was recorded so far by this process, on every database.
pub fn seen_values() -> BTreeSet<SeenValue> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A row whose values are recorded as it is read, while plans are.
pub(crate) struct Seen<R>(pub(crate) R);

impl<R: QueryableByName<Pg>> QueryableByName<Pg> for Seen<R> {
    fn build<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self> {
        note::<R, Pg>(row, |value| Some(value.get_oid().to_string()));
        R::build(row).map(Self)
    }
}

impl<R: QueryableByName<Sqlite>> QueryableByName<Sqlite> for Seen<R> {
    fn build<'a>(row: &impl NamedRow<'a, Sqlite>) -> deserialize::Result<Self> {
        note::<R, Sqlite>(row, |value| value.value_type().map(|kind| format!("{kind:?}")));
        R::build(row).map(Self)
    }
}

fn note<'a, R, DB: Backend>(
    row: &impl NamedRow<'a, DB>,
    kind: impl Fn(DB::RawValue<'_>) -> Option<String>,
) {
    if !is_recording() {
        return;
    }
    for place in 0..row.field_count() {
        if let Some(field) = Row::get(row, place)
            && let Some(column) = field.field_name()
            && let Some(kind) = field.value().and_then(&kind)
        {
            let value = SeenValue { row: type_name::<R>(), column: column.to_owned(), kind };
            SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(value);
        }
    }
}
