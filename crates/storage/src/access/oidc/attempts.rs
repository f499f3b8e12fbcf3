//! Sign-ins that have begun.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};

use contact_hub_domain::access::{OIDC_ATTEMPTS, OIDC_SECONDS, OidcAttempt, TokenHash};
use contact_hub_domain::ids::SessionId;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::any_selected;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// How many expired sign-ins are deleted when another one begins.
const SWEPT: i64 = 100;

#[derive(QueryableByName)]
struct AttemptRow {
    #[diesel(sql_type = Text)]
    provider: String,
    #[diesel(sql_type = Text)]
    next: String,
    #[diesel(sql_type = Nullable<Id>)]
    session_id: Option<IdValue>,
    #[diesel(sql_type = Moment)]
    started_at: MomentValue,
}

/// Stores a sign-in. Each call deletes more expired ones than it adds, and the oldest past the maximum.
pub(super) fn begin(connection: &mut Connection, attempt: &OidcAttempt) -> Result<(), Failure> {
    let over = statement(
        "SELECT browser_hash FROM oidc_attempts WHERE started_at <= ? ORDER BY started_at, browser_hash LIMIT ?",
    );
    let over = over.bind(attempt.started_at.plus_seconds(-OIDC_SECONDS)).bind(SWEPT);
    delete_selected(connection, over)?;
    let text = "INSERT INTO oidc_attempts (browser_hash, provider, next, session_id, started_at) \
         VALUES (?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(attempt.browser.bytes().as_slice())
        .bind(attempt.provider.as_str())
        .bind(attempt.next.as_str())
        .bind(attempt.session)
        .bind(attempt.started_at);
    connection.execute(insert)?;
    let oldest = statement(
        "SELECT browser_hash FROM oidc_attempts ORDER BY started_at DESC, browser_hash DESC LIMIT ? OFFSET ?",
    );
    delete_selected(connection, oldest.bind(SWEPT).bind(i64::from(OIDC_ATTEMPTS)))
}

fn delete_selected(connection: &mut Connection, hashes: Statement) -> Result<(), Failure> {
    let delete =
        sql!("DELETE FROM oidc_attempts WHERE browser_hash {}", any_selected(connection, hashes));
    connection.execute(delete)?;
    Ok(())
}

/// Deletes a sign-in and returns it. Only one transaction can delete the row.
pub(super) fn take(
    connection: &mut Connection,
    browser: TokenHash,
) -> Result<Option<OidcAttempt>, Failure> {
    let text = "DELETE FROM oidc_attempts WHERE browser_hash = ? \
         RETURNING provider, next, session_id, started_at";
    let take = statement(text).bind(browser.bytes().as_slice());
    let row: Option<AttemptRow> = connection.first(take)?;
    Ok(row.map(|row| OidcAttempt {
        browser,
        provider: row.provider,
        next: row.next,
        session: row.session_id.map(|id| SessionId::new(id.0)),
        started_at: row.started_at.0,
    }))
}
