//! Which permits are in use, and which may be granted.

use std::collections::HashMap;

use contact_hub_domain::ids::CompanyId;

use super::Share;

/// The permits in use, within the limits of heavy work.
pub(super) struct Usage {
    pub(super) free: usize,
    heavy: usize,
    /// One entry for each company whose heavy work is in progress.
    heavy_of: HashMap<Option<CompanyId>, usize>,
    max_heavy: usize,
    max_heavy_of_one: usize,
}

impl Usage {
    /// All of this many permits are free.
    pub(super) fn of(size: usize, max_heavy: usize) -> Self {
        Self {
            free: size,
            heavy: 0,
            heavy_of: HashMap::new(),
            max_heavy: max_heavy.max(1),
            max_heavy_of_one: (max_heavy * 2 / 3).max(1),
        }
    }

    /// Whether a permit can be granted to this share. While one is free, no waiting call may take it.
    pub(super) fn grants(&self, share: Share) -> bool {
        let of_one = || self.heavy_of.get(&share.company).copied().unwrap_or_default();
        self.free > 0
            && (!share.heavy || (self.heavy < self.max_heavy && of_one() < self.max_heavy_of_one))
    }

    /// Counts a permit as granted.
    pub(super) fn add(&mut self, share: Share) {
        self.free -= 1;
        if share.heavy {
            self.heavy += 1;
            *self.heavy_of.entry(share.company).or_default() += 1;
        }
    }

    /// Counts a permit as free again.
    pub(super) fn remove(&mut self, share: Share) {
        self.free += 1;
        if !share.heavy {
            return;
        }
        self.heavy -= 1;
        if let Some(count) = self.heavy_of.get_mut(&share.company) {
            *count -= 1;
            if *count == 0 {
                self.heavy_of.remove(&share.company);
            }
        }
    }
}
