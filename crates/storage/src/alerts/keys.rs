//! Raise alerts for keys that expire soon.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::alerts::{AlertKind, KEY_NOTICE_SECONDS, NewAlert};
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::time::Timestamp;

use super::raise::raise;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct KeyRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    token_start: String,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    expires_at: MomentValue,
}

impl KeyRow {
    /// The alert; `None` for a key that never had a longer time to live than the notice.
    fn alert(&self, now: Timestamp) -> Option<NewAlert> {
        let expires_at = self.expires_at.0;
        let is_long = self.created_at.0.plus_seconds(KEY_NOTICE_SECONDS) < expires_at;
        let label = if self.name.is_empty() { &self.token_start } else { &self.name };
        is_long.then(|| NewAlert {
            company: CompanyId::new(self.company_id.0),
            kind: AlertKind::KeyExpires,
            object: self.id.0,
            name: label.clone(),
            detail: format!("It expires at {}.", expires_at.to_seconds_text()),
            about: Some(UserId::new(self.user_id.0)),
            at: now,
        })
    }
}

/// Looks at keys that expire until this moment, each once; returns how many.
pub(super) fn alert_of_keys(
    connection: &mut Connection,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<usize, Failure> {
    let lock = match connection {
        Connection::Postgres(_) => " FOR UPDATE OF api_keys SKIP LOCKED",
        Connection::Sqlite(_) => "",
    };
    let select = sql!(
        "SELECT api_keys.id, api_keys.user_id, users.company_id, api_keys.name, api_keys.token_start, \
         api_keys.created_at, api_keys.expires_at FROM api_keys JOIN users ON users.id = api_keys.user_id \
         WHERE api_keys.expires_at IS NOT NULL AND api_keys.revoked_at IS NULL AND NOT api_keys.expiry_noted \
         AND api_keys.expires_at > ? AND api_keys.expires_at <= ? ORDER BY api_keys.expires_at LIMIT ?{}",
        lock
    );
    let select = select.bind(now).bind(until).bind(i64::from(limit));
    let keys: Vec<KeyRow> = connection.rows(select)?;
    if keys.is_empty() {
        return Ok(0);
    }
    let any = any_id(connection, keys.iter().map(|key| key.id.0));
    connection.execute(sql!("UPDATE api_keys SET expiry_noted = true WHERE id {}", any))?;
    let alerts: Vec<NewAlert> = keys.iter().filter_map(|key| key.alert(now)).collect();
    raise(connection, &alerts)?;
    Ok(keys.len())
}
