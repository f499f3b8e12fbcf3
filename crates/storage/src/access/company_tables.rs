//! The tables with rows of a company, in the order in which they are deleted: a row is deleted after those that refer
//! to it, and what a write appends after what it locks.

use contact_hub_domain::ids::CompanyId;

use crate::Storage;
use crate::connection::Connection;
use crate::dialect::in_index_order;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// A table, with the columns that find its rows.
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The condition on the company.
    condition: &'static str,
    /// On PostgreSQL an index of the company ends with these columns.
    key: &'static str,
    /// `None` if SQLite does not have the table.
    on_sqlite: Option<OnSqlite>,
}

/// How rows are found on SQLite.
#[derive(Clone, Copy)]
struct OnSqlite {
    condition: &'static str,
    key: &'static str,
}

const OF_COMPANY: &str = "company_id = ?";

const OF_USERS: &str = "user_id IN (SELECT id FROM users WHERE company_id = ?)";

const OF_FIELDS: &str = "field_number IN (SELECT index_number FROM fields WHERE company_id = ?)";

const fn rows(name: &'static str, condition: &'static str, key: &'static str) -> Table {
    Table { name, condition, key, on_sqlite: Some(OnSqlite { condition, key: "rowid" }) }
}

/// A table without row ids, of which these columns are the key.
const fn keyed(name: &'static str, key: &'static str) -> Table {
    let on_sqlite = Some(OnSqlite { condition: OF_COMPANY, key });
    Table { on_sqlite, ..rows(name, OF_COMPANY, key) }
}

pub(super) const TABLES: [Table; 41] = [
    rows("sessions", OF_USERS, "id"),
    rows("api_keys", OF_USERS, "id"),
    rows("saved_views", OF_COMPANY, "user_id, created_at, id"),
    keyed("imports", "company_id, user_id"),
    keyed("oidc_domains", "domain"),
    rows("oidc_providers", OF_COMPANY, "created_at, id"),
    // Passwords, links, second steps, passkeys and the identifiers at providers are deleted with their users,
    // challenges with their sessions, attempts with their deliveries, and secrets with their webhooks.
    rows("users", OF_COMPANY, "created_at, id"),
    keyed("alert_choices", "company_id, user_id, kind"),
    rows("deliveries", OF_COMPANY, "id"),
    keyed("event_contacts", "contact_id, event_id"),
    rows("events", OF_COMPANY, "id"),
    keyed("delivery_leases", "delivery_id"),
    Table { on_sqlite: None, ..rows("delivery_count_changes", OF_COMPANY, "webhook_id") },
    keyed("delivery_counts", "company_id, webhook_id, generation, state, is_test"),
    keyed("delivery_outcomes", "company_id, webhook_id, hour"),
    rows("settlements", OF_COMPANY, "webhook_id"),
    rows("erasures", OF_COMPANY, "webhook_id"),
    keyed("feed_cursors", "kind, webhook_id"),
    rows("webhooks", OF_COMPANY, "id"),
    rows("syncs", OF_COMPANY, "asset_id, requested_at, id"),
    rows("integrations", OF_COMPANY, "created_at, id"),
    rows("assets", OF_COMPANY, "created_at, id"),
    rows("contacts", OF_COMPANY, "id"),
    Table {
        on_sqlite: Some(OnSqlite { condition: OF_FIELDS, key: "contact_id, field_number" }),
        ..keyed("indexed_values", "company_id, contact_id, field_id")
    },
    rows("count_changes", OF_COMPANY, "id"),
    keyed("field_value_uses", "company_id, field_id, sort_key, identity"),
    keyed("field_value_blocks", "company_id, field_id, first_key"),
    keyed("text_counts", "company_id, text"),
    rows("contact_counts", OF_COMPANY, "company_id"),
    rows("fields", OF_COMPANY, "position"),
    rows("kept_answers", OF_COMPANY, "user_id, key"),
    keyed("call_counts", "company_id, hour, instance_id"),
    keyed("contact_days", "company_id, day"),
    keyed("alerts", "company_id, user_id, batch, kind, object_id"),
    keyed("alert_mails", "company_id, user_id"),
    keyed("key_days", "company_id, key_id, day"),
    keyed("alert_events", "company_id, at, kind, object_id"),
    keyed("blocked_emails", "company_id, digest"),
    keyed("changes", "company_id, position, ordinal"),
    keyed("change_purges", "company_id"),
    rows("audit", OF_COMPANY, "position, ordinal"),
];

/// The names of the tables.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|table| table.name)
}

impl Table {
    /// Deletes at most this many rows of the company; returns how many there were.
    pub(super) fn delete(
        &self,
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
        limit: u32,
    ) -> Result<usize, Failure> {
        let is_cluster = storage.opener().is_cluster();
        let shard = (is_cluster && self.condition == OF_COMPANY).then_some(company);
        let Some(delete) = self.statement(connection, shard) else { return Ok(0) };
        let delete = delete.bind(company).bind(i64::from(limit));
        in_index_order(connection, |connection| Ok(connection.execute(delete)?))
    }

    /// A row's place (`ctid`) is one in a shard, so on a cluster the statement names the shard by its company. On one server
    /// that could make PostgreSQL read all rows of the company.
    fn statement(&self, connection: &Connection, shard: Option<CompanyId>) -> Option<Statement> {
        let Self { name, condition, key, on_sqlite } = *self;
        match connection {
            Connection::Postgres(_) => Some(sql!(
                "DELETE FROM {name} WHERE {in_shard}ctid = ANY (ARRAY (SELECT ctid FROM {name} WHERE {condition} \
                 ORDER BY {key} LIMIT ?))",
                name = name,
                in_shard = shard.map(|company| statement("company_id = ? AND ").bind(company)),
                condition = condition,
                key = key,
            )),
            Connection::Sqlite(_) => on_sqlite.map(|OnSqlite { condition, key }| {
                sql!(
                    "DELETE FROM {name} WHERE ({key}) IN (SELECT {key} FROM {name} WHERE {condition} LIMIT ?)",
                    name = name,
                    key = key,
                    condition = condition,
                )
            }),
        }
    }
}
