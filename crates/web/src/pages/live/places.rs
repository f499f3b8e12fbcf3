//! The places of open streams.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::gauge;

use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::live::{MOST_PAGES, MOST_PAGES_OF_COMPANY, MOST_PAGES_OF_USER};

/// The metric of open streams.
const OPEN: &str = "contact_hub_live_streams_open";

/// The open streams of this instance.
#[derive(Default)]
pub struct LivePlaces(Mutex<Open>);

#[derive(Default)]
struct Open {
    all: usize,
    of_companies: HashMap<CompanyId, usize>,
    of_users: HashMap<UserId, usize>,
}

/// The place of a stream; it is free again when this is dropped.
pub(super) struct Place {
    places: Arc<LivePlaces>,
    company: CompanyId,
    user: UserId,
}

impl LivePlaces {
    /// A place for a stream; `None` when there is none.
    pub(super) fn take(self: &Arc<Self>, company: CompanyId, user: UserId) -> Option<Place> {
        let mut open = self.open();
        let of_company = open.of_companies.get(&company).copied().unwrap_or_default();
        let of_user = open.of_users.get(&user).copied().unwrap_or_default();
        let is_full = open.all >= MOST_PAGES
            || of_company >= MOST_PAGES_OF_COMPANY
            || of_user >= MOST_PAGES_OF_USER;
        if is_full {
            return None;
        }
        open.all += 1;
        gauge!(OPEN).increment(1);
        open.of_companies.insert(company, of_company + 1);
        open.of_users.insert(user, of_user + 1);
        Some(Place { places: Arc::clone(self), company, user })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        gauge!(OPEN).decrement(1);
        let mut open = self.places.open();
        open.all = open.all.saturating_sub(1);
        leave(&mut open.of_companies, &self.company);
        leave(&mut open.of_users, &self.user);
    }
}

fn leave<T: Eq + Hash>(open: &mut HashMap<T, usize>, one: &T) {
    match open.get_mut(one) {
        Some(number) if *number > 1 => *number -= 1,
        _ => {
            open.remove(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use contact_hub_domain::ids::{CompanyId, UserId};
    use contact_hub_domain::live::{MOST_PAGES_OF_COMPANY, MOST_PAGES_OF_USER};
    use uuid::Uuid;

    use super::LivePlaces;

    #[test]
    fn bounds_the_streams_of_a_user_and_of_a_company() {
        let places = Arc::<LivePlaces>::default();
        let take = |company: usize, user: usize| {
            let id = |n: usize| Uuid::from_u128(u128::try_from(n).expect("small"));
            places.take(CompanyId::new(id(company)), UserId::new(id(user)))
        };
        let of_one: Vec<_> = (0..MOST_PAGES_OF_USER).map(|_| take(1, 1)).collect();
        assert!(of_one.iter().all(Option::is_some) && take(1, 1).is_none());
        let others = MOST_PAGES_OF_USER..MOST_PAGES_OF_COMPANY;
        let others: Vec<_> = others.map(|user| take(1, 1 + user)).collect();
        assert!(others.iter().all(Option::is_some) && take(1, 9999).is_none());
        assert!(take(2, 9999).is_some());
        drop(of_one);
        assert!(take(1, 1).is_some());
        drop(others);
        let open = places.open();
        assert_eq!((open.all, open.of_companies.len(), open.of_users.len()), (0, 0, 0));
    }
}
