//! The challenges of ceremonies.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};

use contact_hub_domain::access::{
    Bound, CHALLENGE_SECONDS, Challenge, MAX_CHALLENGES, MAX_CHALLENGES_OF_NETWORK, TokenHash,
};
use contact_hub_domain::ids::SessionId;
use contact_hub_domain::time::Timestamp;

use crate::access::lock::ask;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, any_selected};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// How many old challenges a new one deletes at most, so that it costs little. More than one, so they become fewer.
const SWEPT: u32 = 200;

#[derive(QueryableByName)]
struct TakenRow {
    #[diesel(sql_type = Text)]
    purpose: String,
    #[diesel(sql_type = Nullable<Id>)]
    session_id: Option<IdValue>,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

#[derive(QueryableByName)]
struct AgeRow {
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

/// Stores a challenge, and deletes those past the limits. Nothing is stored for a session that has ended meanwhile.
pub(super) fn save(connection: &mut Connection, challenge: &Challenge) -> Result<(), Failure> {
    let Bound { purpose, session } = challenge.bound;
    if let Some(session) = session
        && !lock_session(connection, session)?
    {
        return Ok(());
    }
    make_room(connection, challenge)?;
    let text = "INSERT INTO passkey_challenges (token_hash, purpose, session_id, network, state, created_at) \
         VALUES (?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(challenge.token.bytes().as_slice())
        .bind(purpose.as_str())
        .bind(session)
        .bind(challenge.network.to_string())
        .bind(challenge.state.as_str())
        .bind(challenge.created_at);
    connection.execute(insert)?;
    Ok(())
}

fn lock_session(connection: &mut Connection, session: SessionId) -> Result<bool, Failure> {
    let lock = Lock::ForKeyShare.on(connection);
    ask(connection, sql!("SELECT true AS yes FROM sessions WHERE id = ?{}", lock).bind(session))
}

/// Deletes what has expired, and the oldest, so that there is room for another challenge.
fn make_room(connection: &mut Connection, challenge: &Challenge) -> Result<(), Failure> {
    let text =
        "SELECT created_at FROM passkey_challenges ORDER BY created_at DESC LIMIT 1 OFFSET ?";
    let select = statement(text).bind(i64::from(MAX_CHALLENGES).saturating_sub(1));
    let last: Option<AgeRow> = connection.first(select)?;
    let expired = challenge.created_at.plus_seconds(-CHALLENGE_SECONDS);
    let old = last.map_or(expired, |row| row.created_at.0.max(expired));
    delete_old(connection, old, SWEPT)?;
    let over = sql!(
        "SELECT token_hash FROM passkey_challenges WHERE network = ? ORDER BY created_at DESC LIMIT ? OFFSET ?{}",
        Lock::SkipLocked.on(connection)
    );
    let over = over
        .bind(challenge.network.to_string())
        .bind(i64::from(SWEPT))
        .bind(i64::from(MAX_CHALLENGES_OF_NETWORK).saturating_sub(1));
    delete_selected(connection, over)?;
    Ok(())
}

/// Deletes the oldest challenges up to a moment, at most this many; returns how many there were.
pub(crate) fn delete_old(
    connection: &mut Connection,
    until: Timestamp,
    limit: u32,
) -> Result<usize, Failure> {
    let old = sql!(
        "SELECT token_hash FROM passkey_challenges WHERE created_at <= ? ORDER BY created_at LIMIT ?{}",
        Lock::SkipLocked.on(connection)
    );
    delete_selected(connection, old.bind(until).bind(i64::from(limit)))
}

fn delete_selected(connection: &mut Connection, hashes: Statement) -> Result<usize, Failure> {
    let delete = sql!(
        "DELETE FROM passkey_challenges WHERE token_hash {}",
        any_selected(connection, hashes)
    );
    Ok(connection.execute(delete)?)
}

/// Deletes a challenge, and returns its state if it may be answered.
pub(super) fn take(
    connection: &mut Connection,
    token: TokenHash,
    bound: Bound,
    after: Timestamp,
) -> Result<Option<String>, Failure> {
    let text = "DELETE FROM passkey_challenges WHERE token_hash = ? RETURNING purpose, session_id, state, created_at";
    let delete = statement(text).bind(token.bytes().as_slice());
    let found: Option<TakenRow> = connection.first(delete)?;
    let may_be_answered = |row: &TakenRow| {
        let session = row.session_id.as_ref().map(|id| SessionId::new(id.0));
        let is_bound = row.purpose == bound.purpose.as_str() && session == bound.session;
        is_bound && row.created_at.0 > after
    };
    Ok(found.filter(may_be_answered).map(|row| row.state))
}
