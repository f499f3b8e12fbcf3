//! Events that consist of entries of the change feed.

use serde_json::{Value, json};

use super::{Event, EventKind};
use crate::changes::{ChangeEntry, ChangeType};
use crate::ids::{CompanyId, EventId};
use crate::time::Timestamp;

/// The maximum number of entries of one event.
pub const MAX_ENTRIES: usize = 100;

impl EventKind {
    /// The kind of the events that have entries of this type.
    #[must_use]
    pub const fn of_change(change: ChangeType) -> Self {
        match change {
            ChangeType::ContactCreated
            | ChangeType::ContactUpdated
            | ChangeType::ContactDeleted
            | ChangeType::ContactRestored
            | ChangeType::ContactErased => Self::ContactsChanged,
            ChangeType::FieldCreated | ChangeType::FieldUpdated => Self::FieldsChanged,
            ChangeType::SyncRequested | ChangeType::SyncCompleted | ChangeType::SyncFailed => {
                Self::SyncsChanged
            }
        }
    }

    /// The types of the entries that its events have; none for a kind that does not consist of entries.
    pub fn changes(self) -> impl Iterator<Item = ChangeType> {
        ChangeType::ALL.into_iter().filter(move |change| Self::of_change(*change) == self)
    }
}

/// The entries of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesBatch(Vec<ChangeEntry>);

impl ChangesBatch {
    /// Takes entries for an event, from at least the next [`MAX_ENTRIES`] and one more, if there are as many. The entries
    /// of a transaction are left for the next event if they do not all fit and others precede them: so a transaction
    /// with a thousand entries makes ten events and not eleven. `None` when there are no entries.
    #[must_use]
    pub fn first_of(mut entries: Vec<ChangeEntry>) -> Option<Self> {
        if let Some(left) = entries.get(MAX_ENTRIES).map(|entry| entry.position.number) {
            let whole = entries.iter().take_while(|entry| entry.position.number < left).count();
            entries.truncate(if whole == 0 { MAX_ENTRIES } else { whole });
        }
        (!entries.is_empty()).then_some(Self(entries))
    }

    /// The entries, in the order of the feed.
    #[must_use]
    pub fn entries(&self) -> &[ChangeEntry] {
        &self.0
    }

    /// The event with these entries.
    #[must_use]
    pub fn event(&self, company: CompanyId, kind: EventKind, id: EventId, at: Timestamp) -> Event {
        let payload = json!({
            "id": id.to_string(),
            "event": kind.as_str(),
            "created_at": at.to_seconds_text(),
            "changes": self.0.iter().map(shown).collect::<Vec<_>>(),
        });
        Event { id, company, kind, sync_id: None, payload: payload.to_string(), created_at: at }
    }
}

/// An entry as the feed shows it.
fn shown(ChangeEntry { position, entry }: &ChangeEntry) -> Value {
    json!({
        "id": position.to_string(),
        "type": entry.kind.as_str(),
        "at": entry.at.to_seconds_text(),
        "object_id": entry.object.to_string(),
        "changed": entry.changed,
        "actor": entry.actor.map(|user| user.to_string()),
        "request_id": entry.request_id.as_deref(),
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::changes::{NewEntry, Position};

    /// Entries of transactions, each with this many.
    fn entries(transactions: &[i32]) -> Vec<ChangeEntry> {
        let entry = NewEntry {
            kind: ChangeType::ContactUpdated,
            at: Timestamp::from_micros(0).expect("in range"),
            object: Uuid::nil(),
            changed: Vec::new(),
            actor: None,
            request_id: None,
        };
        let of = |(number, count): (i64, &i32)| {
            let entry = entry.clone();
            (0..*count).map(move |ordinal| ChangeEntry {
                position: Position { number, ordinal },
                entry: entry.clone(),
            })
        };
        (1..).zip(transactions).flat_map(of).collect()
    }

    fn taken(transactions: &[i32]) -> usize {
        ChangesBatch::first_of(entries(transactions)).map_or(0, |batch| batch.entries().len())
    }

    #[test]
    fn a_transaction_that_does_not_fit_begins_the_next_event() {
        for (transactions, expected) in [
            (&[][..], 0),
            (&[3, 4], 7),
            (&[100], 100),
            (&[99, 1], 100),
            (&[99, 2], 99),
            (&[1, 99, 1], 100),
            (&[1, 1000], 1),
            (&[1000], 100),
            (&[100, 1000], 100),
        ] {
            assert_eq!(taken(transactions), expected, "{transactions:?}");
        }
    }

    #[test]
    fn every_type_of_change_is_in_one_kind_of_event() {
        let kinds = EventKind::ALL.map(|kind| kind.changes().count());
        assert_eq!(kinds, [0, 5, 2, 3, 0, 0]);
        assert!(EventKind::ALL.iter().all(|kind| {
            kind.changes().next().is_none() || EventKind::SUBSCRIBABLE.contains(kind)
        }));
    }
}
