//! The numbers by which the way to the matches of a list is chosen.

/// Numbers of contacts by which the way to the matches of a list is chosen.
#[derive(Clone, Copy, Debug)]
pub struct ListLimits {
    /// Up to this many candidates are gathered and sorted.
    pub few: u64,
    /// At least this many are read along the index of the sort before that way is given up.
    pub walk: u64,
    /// From this offset on, contacts before a page are counted without their other sort keys.
    pub far: u64,
}

impl Default for ListLimits {
    fn default() -> Self {
        Self { few: 50_000, walk: 5_000, far: 1000 }
    }
}
