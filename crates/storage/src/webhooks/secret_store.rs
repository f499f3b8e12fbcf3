//! The sealed secrets of all companies, for a change of the master key: those of webhooks, of two-step verification, of
//! identity providers and in kept answers, and the key of blocked emails.

use std::collections::BTreeSet;

use async_trait::async_trait;
use diesel::QueryableByName;
use diesel::sql_types::{Binary, Bool, Text};

use contact_hub_domain::ids::WebhookSecretId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::{Resealed, Sealed, SecretStore};
use uuid::Uuid;

use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::idempotency::{reseal_answer, sealed_answers};
use crate::statement::{sql, statement};
use crate::units::{Reading, Writing};

#[derive(QueryableByName)]
struct Exists {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

#[derive(QueryableByName)]
struct KeyId {
    #[diesel(sql_type = Text)]
    key_id: String,
}

#[derive(QueryableByName)]
struct SealedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    key_id: String,
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
}

#[async_trait]
impl SecretStore for Storage {
    async fn key_ids(&self) -> Result<Vec<String>, StoreError> {
        self.read(Reading::Few, key_ids).await
    }

    async fn sealed_under_others(
        &self,
        key_id: String,
        after: Option<WebhookSecretId>,
        limit: u32,
    ) -> Result<Vec<(WebhookSecretId, Sealed)>, StoreError> {
        let after = after.map_or_else(Uuid::nil, WebhookSecretId::uuid);
        self.read(Reading::Few, move |connection| {
            let mut sealed = sealed_under_others(connection, &key_id, after, limit)?;
            sealed.extend(sealed_answers(connection, &key_id, after, limit)?);
            sealed.sort_unstable_by_key(|(id, _)| *id);
            sealed.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            Ok(sealed)
        })
        .await
    }

    async fn reseal(&self, secrets: Vec<Resealed>) -> Result<u64, StoreError> {
        let unit = move |connection: &mut _| reseal(connection, &secrets);
        self.write_unrecorded(Writing::Few, unit).await
    }
}

/// The ids of the keys of all tables with sealed secrets that the schema has by now.
pub(crate) fn key_ids(connection: &mut Connection) -> Result<Vec<String>, Failure> {
    let (mut key_ids, tables) =
        (BTreeSet::new(), ["webhook_secrets", "blocked_email_key", "two_step", "oidc_providers"]);
    for table in tables {
        let text = match connection {
            Connection::Postgres(_) => "SELECT to_regclass(?) IS NOT NULL AS yes",
            Connection::Sqlite(_) => {
                "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?) AS yes"
            }
        };
        let exists: Option<Exists> = connection.first(statement(text).bind(table))?;
        if exists.is_some_and(|exists| exists.yes) {
            let rows: Vec<KeyId> =
                connection.rows(sql!("SELECT DISTINCT key_id FROM {}", table))?;
            key_ids.extend(rows.into_iter().map(|row| row.key_id));
        }
    }
    Ok(key_ids.into_iter().collect())
}

fn sealed_under_others(
    connection: &mut Connection,
    key_id: &str,
    after: Uuid,
    limit: u32,
) -> Result<Vec<(WebhookSecretId, Sealed)>, Failure> {
    let text = "SELECT id, key_id, sealed FROM webhook_secrets WHERE id > ? AND key_id <> ? \
         UNION ALL SELECT secret_id, key_id, sealed FROM blocked_email_key WHERE secret_id > ? AND key_id <> ? \
         UNION ALL SELECT secret_id, key_id, sealed FROM two_step WHERE secret_id > ? AND key_id <> ? \
         UNION ALL SELECT secret_id, key_id, sealed FROM oidc_providers WHERE secret_id > ? AND key_id <> ? \
         ORDER BY id LIMIT ?";
    let tables = 0..4;
    let select = tables
        .fold(statement(text), |select, _table| select.bind(IdValue(after)).bind(key_id))
        .bind(i64::from(limit));
    let rows: Vec<SealedRow> = connection.rows(select)?;
    let pair = |row: SealedRow| {
        let sealed = Sealed { key_id: row.key_id, bytes: row.sealed };
        (WebhookSecretId::new(row.id.0), sealed)
    };
    Ok(rows.into_iter().map(pair).collect())
}

/// The rows come in the order of their ids, so all processes lock them in one order.
fn reseal(connection: &mut Connection, secrets: &[Resealed]) -> Result<u64, Failure> {
    let texts = [
        "UPDATE webhook_secrets SET key_id = ?, sealed = ? WHERE id = ? AND key_id = ? AND sealed = ?",
        "UPDATE blocked_email_key SET key_id = ?, sealed = ? WHERE id = 1 AND secret_id = ? \
         AND key_id = ? AND sealed = ?",
        "UPDATE two_step SET key_id = ?, sealed = ? WHERE secret_id = ? AND key_id = ? AND sealed = ?",
        "UPDATE oidc_providers SET key_id = ?, sealed = ? WHERE secret_id = ? AND key_id = ? AND sealed = ?",
    ];
    let mut replaced = 0;
    for secret in secrets {
        for text in texts {
            let update = statement(text)
                .bind(secret.after.key_id.as_str())
                .bind(secret.after.bytes.as_slice())
                .bind(secret.id)
                .bind(secret.before.key_id.as_str())
                .bind(secret.before.bytes.as_slice());
            replaced += connection.execute(update)?;
        }
        replaced += reseal_answer(connection, secret)?;
    }
    Ok(u64::try_from(replaced).unwrap_or(u64::MAX))
}
