//! One-time links.

use contact_hub_domain::access::{Link, LinkHolder, Redemption, Session, SignInMethod, TokenHash};
use contact_hub_domain::audit::AuditAction;
use contact_hub_domain::ids::CompanyId;

use super::audit::append_all_of_user;
use super::lock::lock_user;
use super::session_rows::LinkRow;
use super::sessions::{self, Begun, How, SecondStep};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::statement;

pub(super) fn create(
    connection: &mut Connection,
    company: Option<CompanyId>,
    link: &Link,
    token: TokenHash,
) -> Result<bool, Failure> {
    if !lock_user(connection, company, link.user_id)? {
        return Ok(false);
    }
    let before = "DELETE FROM sign_in_links WHERE user_id = ?";
    connection.execute(statement(before).bind(link.user_id))?;
    insert(connection, link, token)?;
    Ok(true)
}

/// Stores a link for a user who has no link yet.
pub(super) fn insert(
    connection: &mut Connection,
    link: &Link,
    token: TokenHash,
) -> Result<(), Failure> {
    let text = "INSERT INTO sign_in_links (id, user_id, token_hash, purpose, created_at, expires_at) \
         VALUES (?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(link.id)
        .bind(link.user_id)
        .bind(token.bytes().as_slice())
        .bind(link.purpose.as_str())
        .bind(link.created_at)
        .bind(link.expires_at);
    connection.execute(insert)?;
    Ok(())
}

pub(super) fn holder(
    connection: &mut Connection,
    token: TokenHash,
) -> Result<Option<LinkHolder>, Failure> {
    let text = "SELECT sign_in_links.id, sign_in_links.user_id, sign_in_links.purpose, sign_in_links.created_at, \
         sign_in_links.expires_at, users.email, companies.password_sign_in FROM sign_in_links \
         JOIN users ON users.id = sign_in_links.user_id JOIN companies ON companies.id = users.company_id \
         WHERE sign_in_links.token_hash = ?";
    let row = connection.first::<LinkRow>(statement(text).bind(token.bytes().as_slice()))?;
    row.map(LinkRow::into_holder).transpose()
}

pub(super) fn redeem(
    connection: &mut Connection,
    redemption: &Redemption,
) -> Result<Recorded<bool>, Failure> {
    let Some(LinkHolder { link, .. }) = holder(connection, redemption.link)? else {
        return Ok(Recorded::unchanged(false));
    };
    if !lock_user(connection, None, link.user_id)? {
        return Ok(Recorded::unchanged(false));
    }
    // Only one transaction can delete the row, and that one redeems the link.
    let text = "DELETE FROM sign_in_links WHERE id = ? AND expires_at > ?";
    if connection.execute(statement(text).bind(link.id).bind(redemption.at))? == 0 {
        return Ok(Recorded::unchanged(false));
    }
    let session = Session { user_id: link.user_id, ..redemption.session };
    if let Some(password) = &redemption.password {
        sessions::replace_password(connection, link.user_id, password, session.id, redemption.at)?;
    }
    let how = How { method: SignInMethod::Link, second_step: SecondStep::IfSetUp };
    let begun = sessions::insert(connection, &session, redemption.token, &redemption.call, how)?;
    let mut done = Vec::new();
    if redemption.password.is_some() {
        done.push((AuditAction::PasswordChanged, link.user_id.uuid()));
    }
    // Nobody is signed in before the second step, which appends the entry.
    if matches!(begun, Begun::Open) {
        done.push((AuditAction::SignedIn, session.id.uuid()));
    }
    if done.is_empty() {
        return Ok(Recorded::unchanged(true));
    }
    let (user, call, at) = (link.user_id, &redemption.call, redemption.at);
    Ok(Recorded::by(append_all_of_user(connection, user, call, &done, at)?, true))
}
