//! The numbers by which the way to the matches of a list is chosen.

use tokio::time::Instant;

use contact_hub_domain::contacts::{Contact, ListQuery, Part, PartRequest};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::Page;
use contact_hub_domain::ports::StoreError;

use super::{list, part};
use crate::Storage;
use crate::units::Reading;

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

impl Storage {
    /// As [`ContactStore::list_part`](contact_hub_domain::contacts::ContactStore::list_part), with other limits.
    pub async fn list_part_within(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: PartRequest,
        limits: ListLimits,
    ) -> Result<Part, StoreError> {
        let (storage, began) = (self.clone(), Instant::now());
        self.read_anywhere(Reading::List(company), move |connection| {
            part::list_part(&storage, connection, company, &query, &part, limits, began)
        })
        .await
    }

    /// As [`ContactStore::list`](contact_hub_domain::contacts::ContactStore::list), with other limits, so that a test
    /// sees every way on few contacts.
    pub async fn list_within(
        &self,
        company: CompanyId,
        query: ListQuery,
        limits: ListLimits,
    ) -> Result<Page<Contact>, StoreError> {
        let (storage, began) = (self.clone(), Instant::now());
        self.read_anywhere(Reading::List(company), move |connection| {
            list::list(&storage, connection, company, &query, limits, began)
        })
        .await
    }
}
