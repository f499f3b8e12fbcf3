//! Store alerts for their recipients.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use contact_hub_domain::alerts::{AlertKind, MAX_WAITING, NewAlert};
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::time::Timestamp;

use super::announce;
use super::recipients::Audience;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::sql;

/// A user who gets an alert.
type Mailbox = (CompanyId, UserId);

/// The row of a user's alerts of one kind about one object. With the nil id it counts those of a user who has too many.
type Row = (CompanyId, UserId, AlertKind, Uuid);

/// What a row gets.
struct Added<'a> {
    /// The last of the alerts.
    alert: &'a NewAlert,
    times: i64,
    first_at: Timestamp,
}

#[derive(QueryableByName)]
struct WaitingRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = BigInt)]
    waiting: i64,
}

/// Stores alerts for each of their recipients, in the transaction of their causes. The number of statements does not
/// depend on the number of alerts.
pub(crate) fn raise(connection: &mut Connection, alerts: &[NewAlert]) -> Result<(), Failure> {
    if alerts.is_empty() {
        return Ok(());
    }
    let audience = Audience::of(connection, alerts)?;
    let recipients: Vec<_> = alerts.iter().map(|alert| (alert, audience.of_alert(alert))).collect();
    let announced = recipients.iter().filter(|(_, it)| it.by_webhook);
    announce::insert(connection, &announced.map(|(alert, _)| *alert).collect::<Vec<_>>())?;
    let mailed: Vec<(Mailbox, &NewAlert)> = recipients
        .iter()
        .flat_map(|(alert, it)| it.by_email.iter().map(|user| ((alert.company, *user), *alert)))
        .collect();
    if mailed.is_empty() {
        return Ok(());
    }
    let mut since = BTreeMap::new();
    for (mailbox, alert) in &mailed {
        let first = since.entry(*mailbox).or_insert(alert.at);
        *first = alert.at.min(*first);
    }
    let since: Vec<_> = since.into_iter().collect();
    // A claim locks these rows first too.
    touch(connection, &since)?;
    let mailboxes: Vec<Mailbox> = since.iter().map(|(mailbox, _)| *mailbox).collect();
    let waiting = waiting(connection, &mailboxes)?;
    insert(connection, &added(&mailed, waiting))
}

/// How many alerts of each user wait.
fn waiting(
    connection: &mut Connection,
    mailboxes: &[Mailbox],
) -> Result<BTreeMap<Mailbox, i64>, Failure> {
    let source = Source::of(mailboxes)
        .ids("company_id", |(company, _)| company.uuid())
        .ids("user_id", |(_, user)| user.uuid());
    let select = sql!(
        "SELECT source.company_id, source.user_id, (SELECT count(*) FROM (SELECT 1 FROM alerts \
         WHERE alerts.company_id = source.company_id AND alerts.user_id = source.user_id AND alerts.batch = ? \
         LIMIT ?) AS counted) AS waiting FROM {}",
        source.table(connection)
    );
    let select = select.bind(IdValue(Uuid::nil())).bind(i64::from(MAX_WAITING));
    let rows: Vec<WaitingRow> = connection.rows(select)?;
    let counted = |row: WaitingRow| {
        ((CompanyId::new(row.company_id.0), UserId::new(row.user_id.0)), row.waiting)
    };
    Ok(rows.into_iter().map(counted).collect())
}

/// The rows to which the alerts are added. Those of a user who has too many are counted together by their kind.
fn added<'a>(
    mailed: &[(Mailbox, &'a NewAlert)],
    mut waiting: BTreeMap<Mailbox, i64>,
) -> Vec<(Row, Added<'a>)> {
    let mut rows: BTreeMap<Row, Added<'a>> = BTreeMap::new();
    for ((company, user), alert) in mailed {
        let own = (*company, *user, alert.kind, subject_of(alert));
        let waiting = waiting.entry((*company, *user)).or_default();
        let is_full = *waiting >= i64::from(MAX_WAITING) && !rows.contains_key(&own);
        let row = if is_full { (*company, *user, alert.kind, Uuid::nil()) } else { own };
        if let Some(added) = rows.get_mut(&row) {
            added.times += 1;
            added.alert = alert;
        } else {
            *waiting += i64::from(!is_full);
            rows.insert(row, Added { alert, times: 1, first_at: alert.at });
        }
    }
    rows.into_iter().collect()
}

/// What alerts of one kind are added up by. The object of an import is the user, but each import has a result of its own.
fn subject_of(alert: &NewAlert) -> Uuid {
    match alert.kind {
        AlertKind::ImportEnded => {
            Uuid::from_u128(alert.object.as_u128() ^ u128::from(alert.at.micros().unsigned_abs()))
        }
        _ => alert.object,
    }
}

/// Adds alerts to those of the same kind and object that wait.
fn insert(connection: &mut Connection, rows: &[(Row, Added<'_>)]) -> Result<(), Failure> {
    let source = Source::of(rows)
        .ids("company_id", |((company, ..), _)| company.uuid())
        .ids("user_id", |((_, user, ..), _)| user.uuid())
        .texts("kind", |((_, _, kind, _), _)| kind.as_str().to_owned())
        .ids("object_id", |((.., object), _)| *object)
        .texts("name", |(_, added)| added.alert.name.clone())
        .texts("detail", |(_, added)| added.alert.detail.clone())
        .ints("times", |(_, added)| added.times)
        .moments("first_at", |(_, added)| added.first_at)
        .moments("last_at", |(_, added)| added.alert.at);
    let insert = sql!(
        "INSERT INTO alerts (company_id, user_id, batch, kind, object_id, name, detail, times, first_at, last_at) \
         SELECT source.company_id, source.user_id, ?, source.kind, source.object_id, source.name, source.detail, \
         source.times, source.first_at, source.last_at FROM {} WHERE true \
         ON CONFLICT (company_id, user_id, batch, kind, object_id) DO UPDATE SET \
         times = alerts.times + excluded.times, name = excluded.name, detail = excluded.detail, \
         last_at = excluded.last_at",
        source.table(connection)
    );
    connection.execute(insert.bind(IdValue(Uuid::nil())))?;
    Ok(())
}

/// Makes emails of the users due. The update changes nothing: it locks the row, so that no claim deletes it.
fn touch(connection: &mut Connection, since: &[(Mailbox, Timestamp)]) -> Result<(), Failure> {
    let source = Source::of(since)
        .ids("company_id", |((company, _), _)| company.uuid())
        .ids("user_id", |((_, user), _)| user.uuid())
        .moments("since", |(_, since)| *since);
    let touch = sql!(
        "INSERT INTO alert_mails (company_id, user_id, since, attempts) \
         SELECT source.company_id, source.user_id, source.since, 0 FROM {} \
         WHERE true ON CONFLICT (company_id, user_id) DO UPDATE SET since = alert_mails.since",
        source.table(connection)
    );
    connection.execute(touch)?;
    Ok(())
}
