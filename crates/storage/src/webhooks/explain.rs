//! How the database finds what is due.

use uuid::Uuid;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::Claim;

use crate::Storage;
use crate::dialect::{claim_statements, explain};

impl Storage {
    /// How the database would run a claim that visits these webhooks, line by line. Nothing is claimed. The words are the database's own.
    pub async fn explain_claim(
        &self,
        claim: Claim,
        webhooks: Vec<WebhookId>,
    ) -> Result<Vec<String>, StoreError> {
        self.read(move |connection| {
            let mut lines = Vec::new();
            let webhooks: Vec<Uuid> = webhooks.iter().map(|webhook| webhook.uuid()).collect();
            for statement in claim_statements(connection, &claim, &webhooks) {
                lines.extend(explain(connection, statement)?);
            }
            Ok(lines)
        })
        .await
    }
}
