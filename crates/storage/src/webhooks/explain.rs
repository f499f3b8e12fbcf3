//! How the database finds what is due.

use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::Claim;

use crate::Storage;
use crate::dialect::{claim_statements, explain};

impl Storage {
    /// How the database would run a claim, line by line. Nothing is claimed. The words are the database's own.
    pub async fn explain_claim(&self, claim: Claim) -> Result<Vec<String>, StoreError> {
        self.read(move |connection| {
            let mut lines = Vec::new();
            for statement in claim_statements(connection, &claim) {
                lines.extend(explain(connection, statement)?);
            }
            Ok(lines)
        })
        .await
    }
}
