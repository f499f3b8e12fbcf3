//! The query plan of a claim.

use uuid::Uuid;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::Claim;

use super::claims::claim_statements;
use crate::Storage;
use crate::dialect::explain;
use crate::units::Writing;

impl Storage {
    /// The plan of a claim that visits these webhooks, line by line, in the database's own format. Nothing is claimed.
    pub async fn explain_claim(
        &self,
        claim: Claim,
        webhooks: Vec<WebhookId>,
    ) -> Result<Vec<String>, StoreError> {
        self.write_unrecorded(Writing::Claims, move |connection| {
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
