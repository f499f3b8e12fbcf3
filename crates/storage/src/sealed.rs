//! A sealed secret in the row of its owner.

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Text};

use contact_hub_domain::ids::WebhookSecretId;
use contact_hub_domain::webhooks::Sealed;

use crate::columns::{Id, IdValue};

/// The secret, and the id under which it was sealed.
#[derive(QueryableByName)]
pub(crate) struct SealedRow {
    #[diesel(sql_type = Id)]
    secret_id: IdValue,
    #[diesel(sql_type = Text)]
    key_id: String,
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
}

impl SealedRow {
    pub(crate) fn into_sealed(self) -> (WebhookSecretId, Sealed) {
        let sealed = Sealed { key_id: self.key_id, bytes: self.sealed };
        (WebhookSecretId::new(self.secret_id.0), sealed)
    }
}
