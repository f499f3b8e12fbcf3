//! Sessions and passwords.

use contact_hub_domain::access::{
    ListedSession, MAX_SESSIONS, PasswordChange, PasswordHash, SECOND_STEP_SECONDS,
    SESSION_IDLE_SECONDS, SESSION_SECONDS, Session, SessionHolder, SignInCandidate, SignInMethod,
    TokenHash,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::{SessionId, UserId};
use contact_hub_domain::time::Timestamp;

use super::lock::{ask, lock_user};
use super::session_rows::{ListedSessionRow, PasswordRow, SessionHolderRow};
use crate::connection::Connection;
use crate::dialect::any_selected;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

const SESSION: &str = "sessions.id, sessions.user_id, sessions.created_at, sessions.seen_at, \
     COALESCE(sessions.confirmed_at, sessions.created_at) AS confirmed_at";

/// Whether a row of `users` has a password.
const HAS_PASSWORD: &str =
    "EXISTS (SELECT 1 FROM user_passwords WHERE user_passwords.user_id = users.id)";

/// Whether a row of `users` has a passkey.
const HAS_PASSKEY: &str = "EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id)";

/// Whether a row of `users` can sign in without a one-time link.
pub(crate) fn is_person() -> Statement {
    sql!(
        "({} OR {} OR EXISTS (SELECT 1 FROM oidc_subjects WHERE oidc_subjects.user_id = users.id))",
        HAS_PASSWORD,
        HAS_PASSKEY
    )
}

pub(super) fn candidates(
    connection: &mut Connection,
    identity: &str,
    limit: u32,
) -> Result<Vec<SignInCandidate>, Failure> {
    let text = "SELECT users.id AS user_id, users.company_id, user_passwords.password_hash, \
         companies.password_sign_in FROM users \
         LEFT JOIN user_passwords ON user_passwords.user_id = users.id JOIN companies ON companies.id = users.company_id \
         WHERE users.email_identity = ? AND companies.deleting_since IS NULL \
         ORDER BY user_passwords.user_id IS NULL, users.created_at, users.id LIMIT ?";
    let select = statement(text).bind(identity).bind(i64::from(limit));
    let rows: Vec<PasswordRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(SignInCandidate::from).collect())
}

pub(super) fn create(
    connection: &mut Connection,
    session: &Session,
    token: TokenHash,
    password: Option<&PasswordHash>,
    call: &Call,
) -> Result<Option<Begun>, Failure> {
    let user = session.user_id;
    if !lock_user(connection, None, user)?
        || !has_password(connection, user, password)?
        || !signs_in_with_password(connection, user)?
    {
        return Ok(None);
    }
    let how = How { method: SignInMethod::Password, second_step: SecondStep::IfSetUp };
    insert(connection, session, token, call, how).map(Some)
}

/// How a new session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// Its user is signed in.
    Open,
    /// It awaits the second step.
    AwaitsCode,
}

/// Whether a session may await the second step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecondStep {
    /// It does if its user has set it up.
    IfSetUp,
    /// It does not: the provider that vouches for the user asked for several factors.
    DoneElsewhere,
}

/// How a user signed in.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) method: SignInMethod,
    pub(super) second_step: SecondStep,
}

/// Stores a session of a locked user, and deletes expired ones. It may await the second step of those who have an app, and
/// of those with a passkey if their company requires two steps.
pub(super) fn insert(
    connection: &mut Connection,
    session: &Session,
    token: TokenHash,
    call: &Call,
    how: How,
) -> Result<Begun, Failure> {
    let text = "SELECT EXISTS (SELECT 1 FROM two_step WHERE user_id = ?) OR EXISTS (SELECT 1 FROM passkeys \
         JOIN users ON users.id = passkeys.user_id JOIN companies ON companies.id = users.company_id \
         WHERE passkeys.user_id = ? AND companies.requires_two_step) AS yes";
    let user = session.user_id;
    let awaits_code = how.second_step == SecondStep::IfSetUp
        && ask(connection, statement(text).bind(user).bind(user))?;
    let begun = if awaits_code { Begun::AwaitsCode } else { Begun::Open };
    store(connection, session, token, call, (begun, how))?;
    Ok(begun)
}

/// Stores a session of a locked user who has proved both steps with a passkey, and deletes expired ones.
pub(super) fn insert_open(
    connection: &mut Connection,
    session: &Session,
    token: TokenHash,
    call: &Call,
) -> Result<(), Failure> {
    let how = How { method: SignInMethod::Passkey, second_step: SecondStep::IfSetUp };
    store(connection, session, token, call, (Begun::Open, how))
}

fn store(
    connection: &mut Connection,
    session: &Session,
    token: TokenHash,
    call: &Call,
    (begun, how): (Begun, How),
) -> Result<(), Failure> {
    let (now, awaits_code) = (session.created_at, begun == Begun::AwaitsCode);
    let text = "DELETE FROM sessions WHERE user_id = ? AND (created_at <= ? OR seen_at <= ? \
         OR (awaits_code AND created_at <= ?))";
    let over = statement(text)
        .bind(session.user_id)
        .bind(now.plus_seconds(-SESSION_SECONDS))
        .bind(now.plus_seconds(-SESSION_IDLE_SECONDS))
        .bind(now.plus_seconds(-SECOND_STEP_SECONDS));
    connection.execute(over)?;
    let text = "INSERT INTO sessions (id, user_id, token_hash, created_at, seen_at, confirmed_at, address, browser, \
         awaits_code, used_many_factors, method) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(session.id)
        .bind(session.user_id)
        .bind(token.bytes().as_slice())
        .bind(session.created_at)
        .bind(session.seen_at)
        .bind(session.confirmed_at)
        .bind(call.address.map(|address| address.to_string()))
        .bind(call.browser.as_deref().map(str::to_owned))
        .bind(awaits_code)
        .bind(how.second_step == SecondStep::DoneElsewhere)
        .bind(how.method.as_str());
    connection.execute(insert)?;
    end_oldest(connection, session.user_id, awaits_code)
}

/// Ends the oldest sessions of a locked user past the maximum. Those that await a code are counted separately, so that
/// the password alone ends none of the others.
fn end_oldest(connection: &mut Connection, user: UserId, awaits_code: bool) -> Result<(), Failure> {
    let text = "SELECT id FROM sessions WHERE user_id = ? AND awaits_code = ? \
         ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?";
    let oldest = statement(text).bind(user).bind(awaits_code).bind(i64::from(MAX_SESSIONS));
    connection
        .execute(sql!("DELETE FROM sessions WHERE id {}", any_selected(connection, oldest)))?;
    Ok(())
}

pub(super) fn holder(
    connection: &mut Connection,
    token: TokenHash,
) -> Result<Option<SessionHolder>, Failure> {
    let select = sql!(
        "SELECT {}, users.email, users.permissions, sessions.method, companies.password_sign_in, \
         companies.password_sign_in AND {} AS has_password, {} AS is_person, \
         EXISTS (SELECT 1 FROM two_step WHERE two_step.user_id = users.id) AS has_two_step, \
         {} AS has_passkey, \
         companies.requires_two_step, sessions.awaits_code, sessions.used_many_factors, \
         companies.id AS company_id, companies.name AS company_name, companies.directory_id, \
         companies.product_access, companies.allowed_domains, \
         EXISTS (SELECT 1 FROM blocked_emails WHERE blocked_emails.company_id = companies.id) AS has_blocked_emails FROM sessions \
         JOIN users ON users.id = sessions.user_id JOIN companies ON companies.id = users.company_id \
         WHERE sessions.token_hash = ? AND companies.deleting_since IS NULL",
        SESSION,
        HAS_PASSWORD,
        is_person(),
        HAS_PASSKEY
    );
    let row = connection.first::<SessionHolderRow>(select.bind(token.bytes().as_slice()))?;
    row.map(SessionHolderRow::into_holder).transpose()
}

pub(super) fn of_user(
    connection: &mut Connection,
    user: UserId,
) -> Result<Vec<ListedSession>, Failure> {
    let select = sql!(
        "SELECT {}, sessions.address, sessions.browser FROM sessions WHERE user_id = ? AND NOT awaits_code \
         ORDER BY created_at DESC, id DESC LIMIT ?",
        SESSION
    );
    let select = select.bind(user).bind(i64::from(MAX_SESSIONS));
    let rows: Vec<ListedSessionRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(ListedSession::from).collect())
}

pub(super) fn see(
    connection: &mut Connection,
    id: SessionId,
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE sessions SET seen_at = ? WHERE id = ? AND seen_at < ?";
    connection.execute(statement(text).bind(at).bind(id).bind(at))?;
    Ok(())
}

/// Opens a session that awaits a code, under a new token; false when there is none.
pub(super) fn open(
    connection: &mut Connection,
    user: UserId,
    id: SessionId,
    token: TokenHash,
    at: Timestamp,
) -> Result<bool, Failure> {
    let text = "UPDATE sessions SET awaits_code = ?, token_hash = ?, seen_at = ?, confirmed_at = ? \
         WHERE id = ? AND user_id = ? AND awaits_code";
    let open = statement(text)
        .bind(false)
        .bind(token.bytes().as_slice())
        .bind(at)
        .bind(at)
        .bind(id)
        .bind(user);
    if connection.execute(open)? == 0 {
        return Ok(false);
    }
    end_oldest(connection, user, false)?;
    Ok(true)
}

pub(super) fn confirm(
    connection: &mut Connection,
    id: SessionId,
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE sessions SET confirmed_at = ? WHERE id = ?";
    connection.execute(statement(text).bind(at).bind(id))?;
    Ok(())
}

/// Ends all sessions of a user, and returns whether there were any.
pub(super) fn end_all(connection: &mut Connection, user: UserId) -> Result<bool, Failure> {
    let text = "DELETE FROM sessions WHERE user_id = ?";
    Ok(connection.execute(statement(text).bind(user))? > 0)
}

pub(super) fn end(
    connection: &mut Connection,
    user: UserId,
    id: SessionId,
) -> Result<bool, Failure> {
    let text = "DELETE FROM sessions WHERE id = ? AND user_id = ?";
    Ok(connection.execute(statement(text).bind(id).bind(user))? == 1)
}

pub(super) fn password_of(
    connection: &mut Connection,
    user: UserId,
) -> Result<Option<PasswordHash>, Failure> {
    let text = "SELECT user_passwords.user_id, users.company_id, user_passwords.password_hash, \
         companies.password_sign_in FROM user_passwords JOIN users ON users.id = user_passwords.user_id \
         JOIN companies ON companies.id = users.company_id WHERE user_passwords.user_id = ?";
    let row = connection.first::<PasswordRow>(statement(text).bind(user))?;
    Ok(row.and_then(|row| SignInCandidate::from(row).password))
}

/// Whether a locked user has the password with this hash, or none. It may have changed while it was compared.
fn has_password(
    connection: &mut Connection,
    user: UserId,
    password: Option<&PasswordHash>,
) -> Result<bool, Failure> {
    Ok(password_of(connection, user)?.as_ref() == password)
}

/// Whether the company of a user lets its users sign in with a password.
fn signs_in_with_password(connection: &mut Connection, user: UserId) -> Result<bool, Failure> {
    let text = "SELECT companies.password_sign_in AS yes FROM users \
         JOIN companies ON companies.id = users.company_id WHERE users.id = ?";
    ask(connection, statement(text).bind(user))
}

pub(super) fn set_password(
    connection: &mut Connection,
    change: &PasswordChange,
) -> Result<bool, Failure> {
    let PasswordChange { user, current, new, keep, at, .. } = change;
    if !lock_user(connection, None, *user)? || !has_password(connection, *user, current.as_ref())? {
        return Ok(false);
    }
    let link = "DELETE FROM sign_in_links WHERE user_id = ?";
    connection.execute(statement(link).bind(*user))?;
    replace_password(connection, *user, new, *keep, *at)?;
    Ok(true)
}

/// Stores the password of a locked user, and deletes all of the user's sessions but one.
pub(super) fn replace_password(
    connection: &mut Connection,
    user: UserId,
    password: &PasswordHash,
    keep: SessionId,
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "INSERT INTO user_passwords (user_id, password_hash, set_at) VALUES (?, ?, ?) \
         ON CONFLICT (user_id) DO UPDATE SET password_hash = excluded.password_hash, set_at = excluded.set_at";
    connection.execute(statement(text).bind(user).bind(password.as_str()).bind(at))?;
    let others = "DELETE FROM sessions WHERE user_id = ? AND id <> ?";
    connection.execute(statement(others).bind(user).bind(keep))?;
    Ok(())
}
