//! A request for entries.

use std::time::Duration;

use super::{ChangeType, Position};

/// The maximum number of entries of one answer.
pub const MAX_CHANGES: u32 = 1000;

/// The default number of entries of one answer.
pub const DEFAULT_CHANGES: u32 = 100;

/// The longest time that a call is held, in seconds.
pub const MAX_WAIT: u64 = 25;

/// Where the entries begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum After {
    /// With the oldest entry that is kept.
    #[default]
    Nothing,
    /// After this one.
    Entry(Position),
    /// After the latest entry, for a mirror that exports everything next.
    Latest,
}

/// Which entries are returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesQuery {
    /// Where they begin.
    pub after: After,
    /// Only these types; empty for all.
    pub types: Vec<ChangeType>,
    /// The maximum number of entries, from 1 to [`MAX_CHANGES`].
    pub size: u32,
    /// How long to wait for the first entry.
    pub wait: Duration,
}

impl Default for ChangesQuery {
    fn default() -> Self {
        Self {
            after: After::Nothing,
            types: Vec::new(),
            size: DEFAULT_CHANGES,
            wait: Duration::ZERO,
        }
    }
}
