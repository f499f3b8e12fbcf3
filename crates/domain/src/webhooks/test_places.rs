//! Limits the tests of webhooks that run at once. A receiver can keep each of them running for as long as an attempt may
//! take.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ids::CompanyId;

/// How many tests an instance runs at once.
pub const MAX_TESTS: usize = 64;

/// How many tests of a company it runs at once.
pub const MAX_TESTS_OF_COMPANY: usize = 8;

/// The tests that run, by company.
#[derive(Debug, Default)]
pub struct TestPlaces(Mutex<HashMap<CompanyId, usize>>);

/// The place of a test; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct TestPlace {
    places: Arc<TestPlaces>,
    company: CompanyId,
}

impl TestPlaces {
    /// A place for a test; `None` when there is none.
    pub(super) fn take(self: &Arc<Self>, company: CompanyId) -> Option<TestPlace> {
        let mut running = self.running();
        let all: usize = running.values().sum();
        let own = running.get(&company).copied().unwrap_or_default();
        if all >= MAX_TESTS || own >= MAX_TESTS_OF_COMPANY {
            return None;
        }
        running.insert(company, own + 1);
        Some(TestPlace { places: Arc::clone(self), company })
    }

    fn running(&self) -> MutexGuard<'_, HashMap<CompanyId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TestPlace {
    fn drop(&mut self) {
        let mut running = self.places.running();
        match running.get_mut(&self.company) {
            Some(number) if *number > 1 => *number -= 1,
            _ => {
                running.remove(&self.company);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use uuid::Uuid;

    use super::{MAX_TESTS, MAX_TESTS_OF_COMPANY, TestPlaces};
    use crate::ids::CompanyId;

    #[test]
    fn bounds_the_tests_of_a_company_and_of_all() {
        let places = Arc::<TestPlaces>::default();
        let take = |company: usize| {
            let id = Uuid::from_u128(u128::try_from(company).expect("small"));
            places.take(CompanyId::new(id))
        };
        let mut of_one: Vec<_> = (0..MAX_TESTS_OF_COMPANY).map(|_| take(0)).collect();
        assert!(of_one.iter().all(Option::is_some) && take(0).is_none());
        let others: Vec<_> = (MAX_TESTS_OF_COMPANY..MAX_TESTS).map(|n| take(1 + n)).collect();
        assert!(others.iter().all(Option::is_some) && take(9999).is_none());
        drop(of_one.pop());
        assert!(take(0).is_some());
        drop((of_one, others));
        assert!(places.running().is_empty());
    }
}
