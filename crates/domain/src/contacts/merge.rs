//! The effect of a bulk on existing contacts, which is that of its rows one by one, in their order.

use std::collections::HashMap;

use super::{Contact, NewContact};

/// A contact that has a row's email identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Existing {
    /// The contact; deleted ones as they were before.
    pub contact: Contact,
    /// Whether it is deleted.
    pub is_deleted: bool,
}

/// The change to write for one email identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// No contact had the identity.
    Insert(Contact),
    /// A deleted contact had it.
    Restore {
        /// The contact as it was.
        before: Contact,
        /// The contact as it becomes.
        after: Contact,
    },
    /// An active contact had it, and something differs.
    Update {
        /// The contact as it was.
        before: Contact,
        /// The contact as it becomes.
        after: Contact,
    },
}

impl Change {
    /// The contact as it becomes.
    #[must_use]
    pub const fn after(&self) -> &Contact {
        match self {
            Self::Insert(after) | Self::Restore { after, .. } | Self::Update { after, .. } => after,
        }
    }
}

/// The outcome of a bulk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The changes to write, at most one for each email identity, in the order of first appearance.
    pub changes: Vec<Change>,
    /// Rows that created or restored a contact.
    pub created: u64,
    /// Rows that updated one, those that changed nothing included.
    pub updated: u64,
    /// Those of the updating rows that changed nothing.
    pub unchanged: u64,
}

/// What one row did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Created,
    Updated,
    None,
}

/// The state of one identity while rows are merged.
struct Slot {
    before: Option<Existing>,
    /// The contact as the last row made it.
    now: Option<Contact>,
}

/// Merges rows, in their order, into the contacts with their email identities.
#[must_use]
pub fn merge(existing: Vec<Existing>, rows: &[NewContact]) -> Merged {
    let mut known: HashMap<String, Existing> = existing
        .into_iter()
        .map(|existing| (existing.contact.email.identity().to_owned(), existing))
        .collect();
    let mut positions: HashMap<&str, usize> = HashMap::with_capacity(rows.len());
    let mut slots: Vec<Slot> = Vec::with_capacity(rows.len());
    let mut merged = Merged::default();
    for row in rows {
        let identity = row.input.email.identity();
        let position = *positions.entry(identity).or_insert_with(|| {
            slots.push(Slot { before: known.remove(identity), now: None });
            slots.len() - 1
        });
        if let Some(slot) = slots.get_mut(position) {
            let effect = slot.apply(row);
            merged.created += u64::from(effect == Effect::Created);
            merged.updated += u64::from(effect != Effect::Created);
            merged.unchanged += u64::from(effect == Effect::None);
        }
    }
    merged.changes = slots.into_iter().filter_map(Slot::into_change).collect();
    merged
}

impl Slot {
    /// Applies a row. A restore counts as a creation.
    fn apply(&mut self, row: &NewContact) -> Effect {
        let (after, effect) = match (&self.now, &self.before) {
            (Some(active), _) | (None, Some(Existing { contact: active, is_deleted: false })) => {
                let after = active.updated(&row.input, row.at);
                let effect = if after == *active { Effect::None } else { Effect::Updated };
                (after, effect)
            }
            (None, Some(deleted)) => (row.restored(&deleted.contact), Effect::Created),
            (None, None) => (row.created(), Effect::Created),
        };
        self.now = Some(after);
        effect
    }

    fn into_change(self) -> Option<Change> {
        let after = self.now?;
        match self.before {
            None => Some(Change::Insert(after)),
            Some(Existing { contact: before, is_deleted: true }) => {
                Some(Change::Restore { before, after })
            }
            Some(Existing { contact: before, .. }) => {
                (before != after).then_some(Change::Update { before, after })
            }
        }
    }
}
