//! Claim emails, and end their claims.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::access::CompanyName;
use contact_hub_domain::alerts::{Alert, AlertKind, ClaimMails, DueMail, HeldMail, MAX_WAITING};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct MailRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Nullable<Id>)]
    batch: Option<IdValue>,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = Nullable<Moment>)]
    first_attempt_at: Option<MomentValue>,
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct AddressRow {
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct AlertRow {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Id)]
    object_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    detail: String,
    #[diesel(sql_type = Integer)]
    times: i32,
    #[diesel(sql_type = Moment)]
    first_at: MomentValue,
    #[diesel(sql_type = Moment)]
    last_at: MomentValue,
}

impl AlertRow {
    /// The alert; `None` of a kind that this program does not know.
    fn into_alert(self) -> Option<Alert> {
        let object = self.object_id.0;
        Some(Alert {
            kind: AlertKind::parse(&self.kind)?,
            object: (!object.is_nil()).then_some(object),
            name: self.name,
            detail: self.detail,
            times: u32::try_from(self.times).unwrap_or(1),
            first_at: self.first_at.0,
            last_at: self.last_at.0,
        })
    }
}

/// The emails whose alerts were collected since this moment or before.
pub(super) fn is_due(connection: &mut Connection, since: Timestamp) -> Result<bool, Failure> {
    let text = "SELECT company_id, user_id, batch, attempts, first_attempt_at FROM alert_mails WHERE since <= ? \
         ORDER BY since LIMIT 1";
    let row: Option<MailRow> = connection.first(statement(text).bind(since))?;
    Ok(row.is_some())
}

/// How many of them there are, counted up to a limit.
pub(super) fn waiting(
    connection: &mut Connection,
    since: Timestamp,
    limit: u32,
) -> Result<u32, Failure> {
    let text = "SELECT count(*) AS number FROM (SELECT since FROM alert_mails WHERE since <= ? LIMIT ?) AS due";
    let select = statement(text).bind(since).bind(i64::from(limit));
    let row: Option<NumberRow> = connection.first(select)?;
    Ok(row.and_then(|row| u32::try_from(row.number).ok()).unwrap_or_default())
}

pub(super) fn claim(
    connection: &mut Connection,
    claim: &ClaimMails,
) -> Result<Vec<DueMail>, Failure> {
    let lock = Lock::SkipLocked.on(connection);
    let select = sql!(
        "SELECT company_id, user_id, batch, attempts, first_attempt_at FROM alert_mails WHERE since <= ? \
         ORDER BY since LIMIT ?{}",
        lock
    );
    let limit = i64::try_from(claim.batches.len()).unwrap_or(i64::MAX);
    let select = select.bind(claim.now.minus(claim.collect)).bind(limit);
    let rows: Vec<MailRow> = connection.rows(select)?;
    let mut mails = Vec::new();
    for (row, batch) in rows.into_iter().zip(&claim.batches) {
        let batch = row.batch.map_or(*batch, |batch| batch.0);
        let (company, user) = (CompanyId::new(row.company_id.0), UserId::new(row.user_id.0));
        let held = HeldMail { company, user, batch, lease: claim.lease };
        match due(connection, held, &row)? {
            Some((to, company, alerts)) => {
                hold(connection, claim, held)?;
                let attempt = u32::try_from(row.attempts).unwrap_or_default().saturating_add(1);
                let first_attempt_at = row.first_attempt_at.map_or(claim.now, |at| at.0);
                mails.push(DueMail { held, to, company, alerts, attempt, first_attempt_at });
            }
            None => forget(connection, company, user)?,
        }
    }
    Ok(mails)
}

/// The address and the alerts of an email; `None` when the user is gone or has no alerts.
fn due(
    connection: &mut Connection,
    held: HeldMail,
    row: &MailRow,
) -> Result<Option<(Email, CompanyName, Vec<Alert>)>, Failure> {
    let text = "SELECT users.email, companies.name FROM users JOIN companies ON companies.id = users.company_id \
         WHERE users.id = ? AND users.company_id = ? AND companies.deleting_since IS NULL";
    let select = statement(text).bind(held.user).bind(held.company);
    let Some(address) = connection.first::<AddressRow>(select)? else { return Ok(None) };
    if row.batch.is_none() {
        let text = "UPDATE alerts SET batch = ? WHERE company_id = ? AND user_id = ? AND batch = ?";
        let take = statement(text)
            .bind(IdValue(held.batch))
            .bind(held.company)
            .bind(held.user)
            .bind(IdValue(Uuid::nil()));
        connection.execute(take)?;
    }
    let text = "SELECT kind, object_id, name, detail, times, first_at, last_at FROM alerts \
         WHERE company_id = ? AND user_id = ? AND batch = ? ORDER BY first_at, kind, object_id LIMIT ?";
    let select = statement(text)
        .bind(held.company)
        .bind(held.user)
        .bind(IdValue(held.batch))
        .bind(i64::from(MAX_WAITING) * 2);
    let rows: Vec<AlertRow> = connection.rows(select)?;
    let alerts: Vec<Alert> = rows.into_iter().filter_map(AlertRow::into_alert).collect();
    let (to, company) = (Email::from_stored(address.email), CompanyName::from_stored(address.name));
    Ok((!alerts.is_empty()).then_some((to, company, alerts)))
}

fn hold(connection: &mut Connection, claim: &ClaimMails, held: HeldMail) -> Result<(), Failure> {
    let text = "UPDATE alert_mails SET batch = ?, lease = ?, since = ?, attempts = attempts + 1, \
         first_attempt_at = COALESCE(first_attempt_at, ?) WHERE company_id = ? AND user_id = ?";
    let update = statement(text)
        .bind(IdValue(held.batch))
        .bind(held.lease)
        .bind(claim.now.plus(claim.hold).minus(claim.collect))
        .bind(claim.now)
        .bind(held.company)
        .bind(held.user);
    connection.execute(update)?;
    Ok(())
}

/// Deletes a user's row and what may be left of a user who is gone.
fn forget(connection: &mut Connection, company: CompanyId, user: UserId) -> Result<(), Failure> {
    for text in [
        "DELETE FROM alerts WHERE company_id = ? AND user_id = ?",
        "DELETE FROM alert_mails WHERE company_id = ? AND user_id = ?",
    ] {
        connection.execute(statement(text).bind(company).bind(user))?;
    }
    Ok(())
}

pub(super) fn finish(
    connection: &mut Connection,
    held: HeldMail,
    since: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE alert_mails SET batch = NULL, lease = NULL, since = ?, attempts = 0, first_attempt_at = NULL \
         WHERE company_id = ? AND user_id = ? AND lease = ?";
    let end = statement(text).bind(since).bind(held.company).bind(held.user).bind(held.lease);
    if connection.execute(end)? == 1 {
        let text = "DELETE FROM alerts WHERE company_id = ? AND user_id = ? AND batch = ?";
        let sent = statement(text).bind(held.company).bind(held.user).bind(IdValue(held.batch));
        connection.execute(sent)?;
    }
    Ok(())
}

pub(super) fn retry(
    connection: &mut Connection,
    held: HeldMail,
    since: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE alert_mails SET lease = NULL, since = ? WHERE company_id = ? AND user_id = ? AND lease = ?";
    let retry = statement(text).bind(since).bind(held.company).bind(held.user).bind(held.lease);
    connection.execute(retry)?;
    Ok(())
}
