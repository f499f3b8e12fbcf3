//! Which permits are in use, and which may be granted.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use contact_hub_domain::ids::CompanyId;

use super::Share;

/// The permits in use, within the limits of heavy work and of each company.
pub(super) struct Usage {
    pub(super) free: usize,
    /// One entry for each company whose work is in progress.
    of_companies: HashMap<CompanyId, usize>,
    max_of_one: usize,
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
            of_companies: HashMap::new(),
            // Its short writes may all wait for one lock.
            max_of_one: size - size / 4,
            heavy: 0,
            heavy_of: HashMap::new(),
            max_heavy: max_heavy.max(1),
            max_heavy_of_one: (max_heavy * 2 / 3).max(1),
        }
    }

    /// Whether a permit can be granted to this share. While one is free, no waiting call may take it.
    pub(super) fn grants(&self, share: Share) -> bool {
        let of_one = |company| self.of_companies.get(&company).copied().unwrap_or_default();
        let heavy_of_one = || self.heavy_of.get(&share.company).copied().unwrap_or_default();
        self.free > 0
            && share.company.is_none_or(|company| of_one(company) < self.max_of_one)
            && (!share.heavy
                || (self.heavy < self.max_heavy && heavy_of_one() < self.max_heavy_of_one))
    }

    /// Counts a permit as granted.
    pub(super) fn add(&mut self, share: Share) {
        self.free -= 1;
        if let Some(company) = share.company {
            *self.of_companies.entry(company).or_default() += 1;
        }
        if share.heavy {
            self.heavy += 1;
            *self.heavy_of.entry(share.company).or_default() += 1;
        }
    }

    /// Counts a permit as free again.
    pub(super) fn remove(&mut self, share: Share) {
        self.free += 1;
        if let Some(company) = share.company {
            count_down(&mut self.of_companies, company);
        }
        if share.heavy {
            self.heavy -= 1;
            count_down(&mut self.heavy_of, share.company);
        }
    }
}

fn count_down<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}
