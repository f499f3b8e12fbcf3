//! The query plan of a list, for operators and tests.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::list;
use crate::Storage;
use crate::units::Reading;

impl Storage {
    /// The database's plan for a list and, when it has conditions, for the count of its matches. `few` selects the
    /// plan for few matches, which are gathered and sorted.
    pub async fn explain_list(
        &self,
        company: CompanyId,
        query: ListQuery,
        few: bool,
    ) -> Result<Vec<String>, StoreError> {
        self.read(Reading::Few, move |connection| list::explain(connection, company, &query, few))
            .await
    }
}
