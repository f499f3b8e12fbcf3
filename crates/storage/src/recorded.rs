//! Proof that a transaction appended an entry of what it changed.
//!
//! [`Storage::write`](crate::Storage) takes units that return a [`Recorded`] outcome. So a change that appends no entry
//! in the audit or in the change feed does not compile, unless it says that nothing changed. Changes that are not
//! recorded at all, such as leases and uses of keys, are written by `Storage::write_unrecorded`.

/// An entry that the running transaction appends. Only `audit` and `changes` have such types, and only their functions
/// that append return values of them.
pub(crate) trait Entry {}

/// A change that is entered under a condition: with `None` it did not happen.
impl<E: Entry> Entry for Option<E> {}

/// The outcome of a transaction that appended an entry of its change, or changed nothing.
#[must_use]
pub(crate) struct Recorded<T>(T);

impl<T> Recorded<T> {
    /// The outcome of a change with this entry.
    pub(crate) fn by(_entry: impl Entry, outcome: T) -> Self {
        Self(outcome)
    }

    /// The outcome of a transaction that changed nothing.
    pub(crate) const fn unchanged(outcome: T) -> Self {
        Self(outcome)
    }

    /// The outcome, when only the end of the transaction is left to do.
    pub(crate) fn into_outcome(self) -> T {
        self.0
    }

    /// The same record with another outcome.
    pub(crate) fn try_map<U, E>(
        self,
        map: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<Recorded<U>, E> {
        map(self.0).map(Recorded)
    }
}
