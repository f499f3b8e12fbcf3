//! For operators and tests that ask why a list is as fast as it is.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::list;
use crate::Storage;

impl Storage {
    /// The database's plan for a list and, when it has conditions, for the number of its hits; `few` tells whether the
    /// hits are few enough to be gathered and sorted.
    pub async fn explain_list(
        &self,
        company: CompanyId,
        query: ListQuery,
        few: bool,
    ) -> Result<Vec<String>, StoreError> {
        self.read(move |connection| list::explain(connection, company, &query, few)).await
    }
}
