//! The windows of rate limits that instances share, on PostgreSQL.
//!
//! Each statement is a transaction by itself: no instance waits longer for another's lock, even if
//! that one dies. The statements use separate connections, so that they never wait for requests.

use std::time::Duration;

use async_trait::async_trait;
use diesel::QueryableByName;
use diesel::sql_types::Nullable;
use serde_json::{Value, json};
use uuid::Uuid;

use contact_hub_domain::access::{
    QuotaStore, SharedWindow, Slice, WindowKey, WindowVersion, WriteWindowOutcome,
};
use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Bind, sql, statement};

/// Inserts a window, or replaces it if it has the expected version. Otherwise it returns what is stored.
const WRITE: &str = "WITH written AS (\
     INSERT INTO rate_windows (key, version, slices, expires_at) VALUES (?, gen_random_uuid(), ?, ?) \
     ON CONFLICT (key) DO UPDATE SET version = excluded.version, slices = excluded.slices, \
     expires_at = excluded.expires_at WHERE rate_windows.version = ? RETURNING version) \
     SELECT version, NULL::json AS slices FROM written UNION ALL \
     SELECT version, slices FROM rate_windows WHERE key = ? AND NOT EXISTS (SELECT 1 FROM written)";

/// How many windows are kept. Past this number those that expire first are deleted, so that attempts to sign in from
/// any number of networks cannot fill the disk. An instance that still uses a deleted window writes it again.
const MAX_WINDOWS: usize = 500_000;

const DELETE: &str = "DELETE FROM rate_windows WHERE key = ANY (ARRAY (SELECT key FROM rate_windows \
     WHERE expires_at <= ? ORDER BY expires_at LIMIT 10000 FOR UPDATE SKIP LOCKED))";

/// The windows of a database that several instances use.
#[derive(Clone)]
pub struct SharedQuotas(Storage);

impl Storage {
    /// The windows that instances share; `None` with SQLite, which one process uses.
    #[must_use]
    pub fn shared_quotas(&self) -> Option<SharedQuotas> {
        self.opener().file().is_none().then(|| SharedQuotas(self.clone()))
    }
}

impl SharedQuotas {
    /// How long a request waits for the database at most.
    #[must_use]
    pub fn wait(&self) -> Duration {
        self.0.dispatch().wait
    }
}

#[derive(QueryableByName)]
struct WindowRow {
    #[diesel(sql_type = Id)]
    version: IdValue,
    #[diesel(sql_type = Nullable<Json>)]
    slices: Option<JsonValue>,
}

#[derive(QueryableByName)]
struct ExpiryRow {
    #[diesel(sql_type = Moment)]
    expires_at: MomentValue,
}

#[async_trait]
impl QuotaStore for SharedQuotas {
    async fn write_window(
        &self,
        key: WindowKey,
        version: Option<WindowVersion>,
        window: SharedWindow,
        expires_at: Timestamp,
    ) -> Result<WriteWindowOutcome, StoreError> {
        let slices = JsonValue(stored(&window));
        let expected = version.map(|version| IdValue(version.0));
        self.0
            .write_limits(move |connection| {
                let write = statement(WRITE).bind(key.bytes().as_slice()).bind(slices.clone());
                let write = write.bind(expires_at).bind(Bind::OptionalId(expected));
                let row: Option<WindowRow> =
                    connection.first(write.bind(key.bytes().as_slice()))?;
                row.map_or(Ok(WriteWindowOutcome::Changed(None)), outcome)
            })
            .await
    }

    async fn delete_expired_windows(&self, now: Timestamp) -> Result<u64, StoreError> {
        let deleted = self.0.write_limits(move |connection| {
            let until = past_maximum(connection)?.map_or(now, |expires_at| now.max(expires_at));
            Ok(connection.execute(statement(DELETE).bind(until))?)
        });
        Ok(u64::try_from(deleted.await?).unwrap_or(u64::MAX))
    }
}

/// When the windows past the maximum expire; `None` if there are fewer.
fn past_maximum(connection: &mut Connection) -> Result<Option<Timestamp>, Failure> {
    let select = sql!(
        "SELECT expires_at FROM rate_windows ORDER BY expires_at DESC OFFSET {} LIMIT 1",
        MAX_WINDOWS
    );
    let row: Option<ExpiryRow> = connection.first(select)?;
    Ok(row.map(|row| row.expires_at.0))
}

fn outcome(row: WindowRow) -> Result<WriteWindowOutcome, Failure> {
    let version = WindowVersion(row.version.0);
    let Some(JsonValue(slices)) = row.slices else {
        return Ok(WriteWindowOutcome::Written(version));
    };
    let window = window(&slices)
        .ok_or_else(|| Failure::Corrupt("rate_windows.slices are not readable".to_owned()))?;
    Ok(WriteWindowOutcome::Changed(Some((version, window))))
}

/// Each slice as its moment, its calls, and its holder if it is a lease.
fn stored(window: &SharedWindow) -> String {
    let slices = window.slices().iter().map(|slice| {
        let holder = slice.holder.map(|holder| holder.to_string());
        json!([slice.at.micros(), slice.calls, holder])
    });
    slices.collect::<Value>().to_string()
}

fn window(text: &str) -> Option<SharedWindow> {
    let slices: Vec<(i64, u32, Option<Uuid>)> = serde_json::from_str(text).ok()?;
    let slices = slices.into_iter().map(|(micros, calls, holder)| {
        let at = Timestamp::from_micros(micros)?;
        Some(Slice { at, calls, holder: holder.map(InstanceId::new) })
    });
    Some(SharedWindow::from_stored(slices.collect::<Option<_>>()?))
}
