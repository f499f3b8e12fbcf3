//! Store an alert for its recipients.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, SmallInt};
use uuid::Uuid;

use contact_hub_domain::access::Permissions;
use contact_hub_domain::alerts::{AlertChoice, MAX_WAITING, NewAlert, Recipient, Recipients};
use contact_hub_domain::ids::UserId;

use super::announce;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct CompanyRow {
    #[diesel(sql_type = Bool)]
    product_access: bool,
}

#[derive(QueryableByName)]
struct UserRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = SmallInt)]
    permissions: i16,
    #[diesel(sql_type = Bool)]
    is_person: bool,
    #[diesel(sql_type = Nullable<Bool>)]
    by_email: Option<bool>,
    #[diesel(sql_type = Nullable<Bool>)]
    by_webhook: Option<bool>,
}

#[derive(QueryableByName)]
struct FullRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
}

/// Stores an alert for each of its recipients, in the transaction of its cause.
pub(crate) fn raise(connection: &mut Connection, alert: &NewAlert) -> Result<(), Failure> {
    let Recipients { by_email: users, by_webhook } = recipients_of(connection, alert)?;
    if by_webhook {
        announce::insert(connection, alert)?;
    }
    if users.is_empty() {
        return Ok(());
    }
    let full = full(connection, alert, &users)?;
    let rows: Vec<(UserId, bool)> =
        users.into_iter().map(|user| (user, full.contains(&user.uuid()))).collect();
    insert(connection, alert, &rows)?;
    let source = Source::of(&rows).ids("user_id", |(user, _)| user.uuid());
    // The update changes nothing. It locks the row, so that no claim deletes it.
    let touch = sql!(
        "INSERT INTO alert_mails (company_id, user_id, since, attempts) SELECT ?, source.user_id, ?, 0 FROM {} \
         WHERE true ON CONFLICT (company_id, user_id) DO UPDATE SET since = alert_mails.since",
        source.table(connection)
    );
    connection.execute(touch.bind(alert.company).bind(alert.at))?;
    Ok(())
}

/// The limit on the users of a company bounds how many rows are read.
fn recipients_of(connection: &mut Connection, alert: &NewAlert) -> Result<Recipients, Failure> {
    let text = "SELECT product_access FROM companies WHERE id = ? AND deleting_since IS NULL";
    let company: Option<CompanyRow> = connection.first(statement(text).bind(alert.company))?;
    let Some(CompanyRow { product_access }) = company else { return Ok(Recipients::default()) };
    let text = "SELECT users.id, users.permissions, alert_choices.by_email, alert_choices.by_webhook, \
         EXISTS (SELECT 1 FROM user_passwords WHERE user_passwords.user_id = users.id) AS is_person FROM users \
         LEFT JOIN alert_choices ON alert_choices.company_id = users.company_id \
         AND alert_choices.user_id = users.id AND alert_choices.kind = ? \
         WHERE users.company_id = ? ORDER BY users.created_at, users.id";
    let select = statement(text).bind(alert.kind.as_str()).bind(alert.company);
    let rows: Vec<UserRow> = connection.rows(select)?;
    let known: Vec<Recipient> = rows
        .into_iter()
        .map(|row| Recipient {
            user: UserId::new(row.id.0),
            permissions: Permissions::from_bits(row.permissions),
            is_person: row.is_person,
            choice: row
                .by_email
                .zip(row.by_webhook)
                .map(|(by_email, by_webhook)| AlertChoice { by_email, by_webhook }),
        })
        .collect();
    Ok(Recipients::of(alert.kind, product_access, alert.about, &known))
}

/// Those of the users who have as many alerts waiting as they may.
fn full(
    connection: &mut Connection,
    alert: &NewAlert,
    users: &[UserId],
) -> Result<Vec<Uuid>, Failure> {
    let source = Source::of(users).ids("user_id", |user| user.uuid());
    let select = sql!(
        "SELECT source.user_id FROM {} WHERE EXISTS (SELECT 1 FROM alerts WHERE alerts.company_id = ? \
         AND alerts.user_id = source.user_id AND alerts.batch = ? LIMIT 1 OFFSET ?)",
        source.table(connection)
    );
    let select = select
        .bind(alert.company)
        .bind(IdValue(Uuid::nil()))
        .bind(i64::from(MAX_WAITING.saturating_sub(1)));
    let rows: Vec<FullRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| row.user_id.0).collect())
}

/// Adds the alert to those of the same kind and object that wait. Of a user who has too many it is counted with all
/// others of its kind.
fn insert(
    connection: &mut Connection,
    alert: &NewAlert,
    rows: &[(UserId, bool)],
) -> Result<(), Failure> {
    let object = |is_full: bool| if is_full { Uuid::nil() } else { alert.object };
    let source = Source::of(rows)
        .ids("user_id", |(user, _)| user.uuid())
        .ids("object_id", |(_, is_full)| object(*is_full));
    let insert = sql!(
        "INSERT INTO alerts (company_id, user_id, batch, kind, object_id, name, detail, times, first_at, last_at) \
         SELECT ?, source.user_id, ?, ?, source.object_id, ?, ?, 1, ?, ? FROM {} WHERE true \
         ON CONFLICT (company_id, user_id, batch, kind, object_id) DO UPDATE SET times = alerts.times + 1, \
         name = excluded.name, detail = excluded.detail, last_at = excluded.last_at",
        source.table(connection)
    );
    let insert = insert
        .bind(alert.company)
        .bind(IdValue(Uuid::nil()))
        .bind(alert.kind.as_str())
        .bind(alert.name.as_str())
        .bind(alert.detail.as_str())
        .bind(alert.at)
        .bind(alert.at);
    connection.execute(insert)?;
    Ok(())
}
