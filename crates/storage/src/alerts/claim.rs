//! Claim emails, and end their claims.

use std::collections::HashMap;

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
use crate::dialect::{Lock, Source};
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

impl MailRow {
    /// The claim of the email. An email that was tried before keeps its batch.
    fn held(&self, new: Uuid, claim: &ClaimMails) -> HeldMail {
        HeldMail {
            company: CompanyId::new(self.company_id.0),
            user: UserId::new(self.user_id.0),
            batch: self.batch.map_or(new, |batch| batch.0),
            lease: claim.lease,
        }
    }

    fn mail(
        &self,
        held: HeldMail,
        to: Email,
        company: CompanyName,
        alerts: Vec<Alert>,
        now: Timestamp,
    ) -> DueMail {
        let attempt = u32::try_from(self.attempts).unwrap_or_default().saturating_add(1);
        let first_attempt_at = self.first_attempt_at.map_or(now, |at| at.0);
        DueMail { held, to, company, alerts, attempt, first_attempt_at }
    }
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct AddressRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct AlertRow {
    #[diesel(sql_type = Id)]
    batch: IdValue,
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

/// Claims emails. The number of statements does not depend on the number of emails.
pub(super) fn claim(
    connection: &mut Connection,
    claim: &ClaimMails,
) -> Result<Vec<DueMail>, Failure> {
    let select = sql!(
        "SELECT company_id, user_id, batch, attempts, first_attempt_at FROM alert_mails WHERE since <= ? \
         ORDER BY since LIMIT ?{}",
        Lock::SkipLocked.on(connection)
    );
    let limit = i64::try_from(claim.batches.len()).unwrap_or(i64::MAX);
    let select = select.bind(claim.now.minus(claim.collect)).bind(limit);
    let rows: Vec<MailRow> = connection.rows(select)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let held: Vec<HeldMail> =
        rows.iter().zip(&claim.batches).map(|(row, batch)| row.held(*batch, claim)).collect();
    let fresh = rows.iter().zip(&held).filter(|(row, _)| row.batch.is_none());
    take(connection, &fresh.map(|(_, held)| *held).collect::<Vec<_>>())?;
    let mut addresses = addresses(connection, &held)?;
    let mut alerts = alerts(connection, &held)?;
    let (mut mails, mut gone) = (Vec::new(), Vec::new());
    for (row, held) in rows.iter().zip(held) {
        let alerts = alerts.remove(&held.batch).unwrap_or_default();
        match addresses.remove(&held.user).filter(|_| !alerts.is_empty()) {
            Some((to, company)) => mails.push(row.mail(held, to, company, alerts, claim.now)),
            None => gone.push(held),
        }
    }
    hold(connection, claim, &mails)?;
    forget(connection, &gone)?;
    Ok(mails)
}

/// Rows with the keys of emails.
fn keys(held: &[HeldMail]) -> Source<'_, HeldMail> {
    Source::of(held)
        .ids("company_id", |held| held.company.uuid())
        .ids("user_id", |held| held.user.uuid())
        .ids("batch", |held| held.batch)
}

/// Adds the waiting alerts to new emails.
fn take(connection: &mut Connection, held: &[HeldMail]) -> Result<(), Failure> {
    if held.is_empty() {
        return Ok(());
    }
    let take = sql!(
        "UPDATE alerts SET batch = source.batch FROM {} WHERE alerts.company_id = source.company_id \
         AND alerts.user_id = source.user_id AND alerts.batch = ?",
        keys(held).table(connection)
    );
    connection.execute(take.bind(IdValue(Uuid::nil())))?;
    Ok(())
}

/// The addresses of the users who exist, and the names of their companies.
fn addresses(
    connection: &mut Connection,
    held: &[HeldMail],
) -> Result<HashMap<UserId, (Email, CompanyName)>, Failure> {
    let select = sql!(
        "SELECT users.id, users.email, companies.name FROM {} JOIN users ON users.id = source.user_id \
         AND users.company_id = source.company_id JOIN companies ON companies.id = users.company_id \
         AND companies.deleting_since IS NULL",
        keys(held).table(connection)
    );
    let rows: Vec<AddressRow> = connection.rows(select)?;
    let address = |row: AddressRow| {
        let to = (Email::from_stored(row.email), CompanyName::from_stored(row.name));
        (UserId::new(row.id.0), to)
    };
    Ok(rows.into_iter().map(address).collect())
}

/// The alerts of each batch.
fn alerts(
    connection: &mut Connection,
    held: &[HeldMail],
) -> Result<HashMap<Uuid, Vec<Alert>>, Failure> {
    let select = sql!(
        "SELECT alerts.batch, alerts.kind, alerts.object_id, alerts.name, alerts.detail, alerts.times, alerts.first_at, \
         alerts.last_at FROM {} JOIN alerts ON alerts.company_id = source.company_id \
         AND alerts.user_id = source.user_id AND alerts.batch = source.batch \
         ORDER BY alerts.first_at, alerts.kind, alerts.object_id LIMIT ?",
        keys(held).table(connection)
    );
    let limit = i64::try_from(held.len()).unwrap_or(i64::MAX);
    let limit = limit.saturating_mul(i64::from(MAX_WAITING) * 2);
    let rows: Vec<AlertRow> = connection.rows(select.bind(limit))?;
    let mut alerts: HashMap<Uuid, Vec<Alert>> = HashMap::new();
    for row in rows {
        let batch = row.batch.0;
        alerts.entry(batch).or_default().extend(row.into_alert());
    }
    Ok(alerts)
}

fn hold(connection: &mut Connection, claim: &ClaimMails, mails: &[DueMail]) -> Result<(), Failure> {
    if mails.is_empty() {
        return Ok(());
    }
    let held: Vec<HeldMail> = mails.iter().map(|mail| mail.held).collect();
    let update = sql!(
        "UPDATE alert_mails SET batch = source.batch, lease = ?, since = ?, attempts = attempts + 1, \
         first_attempt_at = COALESCE(first_attempt_at, ?) FROM {} \
         WHERE alert_mails.company_id = source.company_id AND alert_mails.user_id = source.user_id",
        keys(&held).table(connection)
    );
    let update = update
        .bind(claim.lease)
        .bind(claim.now.plus(claim.hold).minus(claim.collect))
        .bind(claim.now);
    connection.execute(update)?;
    Ok(())
}

/// Deletes the rows of users without alerts, and what may be left of users who are gone.
fn forget(connection: &mut Connection, gone: &[HeldMail]) -> Result<(), Failure> {
    if gone.is_empty() {
        return Ok(());
    }
    for table in ["alerts", "alert_mails"] {
        let delete = sql!(
            "DELETE FROM {} WHERE (company_id, user_id) IN (SELECT source.company_id, source.user_id FROM {})",
            table,
            keys(gone).table(connection)
        );
        connection.execute(delete)?;
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
