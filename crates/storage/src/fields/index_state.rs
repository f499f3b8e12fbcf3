//! The state of the rows of a field in `indexed_values`.

use uuid::Uuid;

use contact_hub_domain::fields::Filterable;

use crate::failure::Failure;

/// Who writes and deletes a field's rows.
///
/// A change becomes known to all writers within a second. Until then some writers may know a state and others the one
/// before. So writers add rows only in states that follow one in which all of them remove rows. Otherwise a row that an
/// informed writer adds would remain when another one removes the value or the contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexState {
    /// Nobody; there are none.
    Absent,
    /// Writers of contacts, and a task for the contacts that were there before.
    Building,
    /// Writers of contacts.
    Ready,
    /// A task deletes them, and writers of contacts remove them.
    Dropping,
    /// The same, and the task builds them then.
    Rebuilding,
}

/// What a write of contacts does with the rows of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexUpkeep {
    /// It adds, changes and removes them.
    Write,
    /// It removes those whose value is changed or removed.
    Remove,
}

const NAMES: [(&str, IndexState); 5] = [
    ("none", IndexState::Absent),
    ("building", IndexState::Building),
    ("ready", IndexState::Ready),
    ("dropping", IndexState::Dropping),
    ("rebuilding", IndexState::Rebuilding),
];

impl IndexState {
    pub(crate) fn parse(name: &str, field: Uuid) -> Result<Self, Failure> {
        let known = NAMES.into_iter().find(|(known, _)| *known == name);
        let known = known.map(|(_, state)| state);
        known.ok_or_else(|| Failure::Corrupt(format!("fields.index_state of {field}")))
    }

    pub(crate) fn as_str(self) -> &'static str {
        NAMES.into_iter().find(|(_, state)| *state == self).map_or("none", |(name, _)| name)
    }

    /// What clients see.
    pub(crate) const fn filterable(self) -> Filterable {
        match self {
            Self::Absent | Self::Dropping => Filterable::No,
            Self::Building | Self::Rebuilding => Filterable::Building,
            Self::Ready => Filterable::Yes,
        }
    }

    /// The state after a change.
    pub(super) const fn wanted(self, filterable: Filterable) -> Self {
        match (filterable, self) {
            (Filterable::No, Self::Absent) => Self::Absent,
            (Filterable::No, _) => Self::Dropping,
            (_, Self::Absent | Self::Dropping) => Self::Rebuilding,
            (_, state) => state,
        }
    }

    /// What each write of contacts does with the rows.
    pub(crate) const fn upkeep(self) -> Option<IndexUpkeep> {
        match self {
            Self::Absent => None,
            Self::Building | Self::Ready => Some(IndexUpkeep::Write),
            Self::Dropping | Self::Rebuilding => Some(IndexUpkeep::Remove),
        }
    }
}
