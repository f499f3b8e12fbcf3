//! The state of the rows of a field in `indexed_values`.

use uuid::Uuid;

use contact_hub_domain::fields::Filterable;

use crate::failure::Failure;

/// Who writes and deletes a field's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexState {
    /// Nobody; there are none.
    Absent,
    /// Writers of contacts, and a task for the contacts that were there before.
    Building,
    /// Writers of contacts.
    Ready,
    /// A task deletes them.
    Dropping,
    /// A task deletes them, and builds them again then.
    Rebuilding,
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

    /// The state after a change. Rows that are being deleted are not those that a new index needs.
    pub(super) const fn wanted(self, filterable: Filterable) -> Self {
        match (filterable, self) {
            (Filterable::No, Self::Absent) => Self::Absent,
            (Filterable::No, _) => Self::Dropping,
            (_, Self::Absent) => Self::Building,
            (_, Self::Dropping) => Self::Rebuilding,
            (_, state) => state,
        }
    }

    /// Whether each write of contacts writes the rows.
    pub(crate) const fn is_written(self) -> bool {
        matches!(self, Self::Building | Self::Ready)
    }
}
