//! How much of a pool each party has, and whether it may have more.
//!
//! - A party that has **little** is granted more as long as anything is free, also from the reserve.
//! - A party may use a **place**, as large as the largest body, as long as the reserve stays free.
//! - **More** is granted only up to its share, which shrinks with each party that has more than a little or waits, and
//!   only while a place is left for the next party.

use std::collections::HashMap;

use super::Party;

/// The parts of a pool: what counts as little, the place of a party, and the reserve. Of 96 MiB they are 1, 16 and 8 MiB.
const LITTLE: usize = 96;
const PLACE: usize = 6;
const RESERVE: usize = 12;

/// Whether there is room for more of a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// Yes, and the party has little afterwards.
    Little,
    /// Yes.
    There,
    /// No, until others release memory.
    Lacking,
    /// No, because the party has much already.
    ShareSpent,
}

impl Room {
    /// Whether there is room.
    pub(super) const fn is_there(self) -> bool {
        matches!(self, Self::Little | Self::There)
    }
}

/// How much of a pool each party has, in KiB.
pub(super) struct Shares {
    all: usize,
    taken: usize,
    parties: HashMap<Party, OfParty>,
    /// How many parties have more than a little, or wait.
    crowd: usize,
}

#[derive(Clone, Copy, Default)]
struct OfParty {
    taken: usize,
    waiting: usize,
}

impl Shares {
    pub(super) fn new(all: usize) -> Self {
        Self { all, taken: 0, parties: HashMap::new(), crowd: 0 }
    }

    /// The maximum that a party can have, if it is alone.
    pub(super) const fn most(&self) -> usize {
        self.share(1)
    }

    /// How much a party has.
    pub(super) fn of(&self, party: Party) -> usize {
        self.parties.get(&party).map_or(0, |own| own.taken)
    }

    /// Whether there is room for this much more of a party now.
    pub(super) fn room(&self, party: Party, more: usize) -> Room {
        let own = self.parties.get(&party).copied().unwrap_or_default();
        let after = own.taken.saturating_add(more);
        let left = self.all.checked_sub(self.taken.saturating_add(more));
        let leaves = |least: usize| left.is_some_and(|left| left >= least);
        if after <= self.little() {
            return if leaves(0) { Room::Little } else { Room::Lacking };
        }
        let begins = own.taken <= self.little() && after <= self.most();
        if begins || after <= self.all / PLACE {
            return if leaves(self.reserve()) { Room::There } else { Room::Lacking };
        }
        let crowd = self.crowd + usize::from(!self.is_in_crowd(own));
        let fits = after <= self.share(crowd) && leaves(self.reserve() + self.all / PLACE);
        if fits { Room::There } else { Room::ShareSpent }
    }

    pub(super) fn take(&mut self, party: Party, more: usize) {
        self.taken = self.taken.saturating_add(more);
        self.change(party, |own| own.taken = own.taken.saturating_add(more));
    }

    pub(super) fn give_back(&mut self, party: Party, less: usize) {
        self.taken = self.taken.saturating_sub(less);
        self.change(party, |own| own.taken = own.taken.saturating_sub(less));
    }

    /// Notes that the party waits with one more request.
    pub(super) fn begin_waiting(&mut self, party: Party) {
        self.change(party, |own| own.waiting += 1);
    }

    /// Notes that the party waits with one request less.
    pub(super) fn end_waiting(&mut self, party: Party) {
        self.change(party, |own| own.waiting = own.waiting.saturating_sub(1));
    }

    fn change(&mut self, party: Party, change: impl FnOnce(&mut OfParty)) {
        let mut own = self.parties.get(&party).copied().unwrap_or_default();
        self.crowd -= usize::from(self.is_in_crowd(own));
        change(&mut own);
        self.crowd += usize::from(self.is_in_crowd(own));
        if own.taken == 0 && own.waiting == 0 {
            self.parties.remove(&party);
        } else {
            self.parties.insert(party, own);
        }
    }

    const fn is_in_crowd(&self, own: OfParty) -> bool {
        own.taken > self.little() || own.waiting > 0
    }

    const fn share(&self, crowd: usize) -> usize {
        (self.all - self.reserve()) / (crowd + 1)
    }

    const fn little(&self) -> usize {
        self.all / LITTLE
    }

    const fn reserve(&self) -> usize {
        self.all / RESERVE
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use contact_hub_domain::ids::CompanyId;

    use super::{Party, Shares};

    fn company(n: u128) -> Party {
        Party::Company(CompanyId::new(Uuid::from_u128(n)))
    }

    impl Shares {
        fn fits(&self, party: Party, more: usize) -> bool {
            self.room(party, more).is_there()
        }
    }

    #[test]
    fn a_share_shrinks_with_each_party_and_grows_again() {
        let mut shares = Shares::new(960);
        shares.take(company(1), 200);
        assert!(shares.fits(company(1), 240) && !shares.fits(company(1), 241), "880 / 2");
        shares.take(company(2), 170);
        assert!(shares.fits(company(1), 93) && !shares.fits(company(1), 94), "880 / 3");
        shares.begin_waiting(company(3));
        assert!(shares.fits(company(1), 20) && !shares.fits(company(1), 21), "880 / 4");
        assert!(shares.fits(company(2), 50) && !shares.fits(company(2), 51));
        shares.end_waiting(company(3));
        shares.give_back(company(2), 170);
        assert!(shares.fits(company(1), 240));
        shares.give_back(company(1), 200);
        assert_eq!((shares.taken, shares.crowd, shares.parties.len()), (0, 0, 0));
    }

    #[test]
    fn large_parties_leave_a_place_and_new_parties_leave_the_reserve() {
        let mut shares = Shares::new(960);
        shares.take(company(1), 440);
        assert!(shares.fits(company(2), 160));
        shares.take(company(2), 160);
        assert!(shares.fits(company(2), 120) && !shares.fits(company(2), 121), "a place is left");
        shares.take(company(2), 120);
        assert!(
            shares.fits(company(3), 160) && !shares.fits(company(3), 161),
            "the reserve is left"
        );
        shares.take(company(3), 160);
        assert!(
            !shares.fits(company(4), 11) && shares.fits(company(4), 10),
            "all of it for little"
        );
        shares.take(company(4), 10);
        assert!(!shares.fits(company(4), 1));
    }
}
