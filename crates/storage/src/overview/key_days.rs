//! The calls with each key by day. All instances add to one row, so there are at most as many rows as keys and days.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::ids::{ApiKeyId, CompanyId};
use contact_hub_domain::overview::KeyDay;
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Source, any_id};
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = Id)]
    key_id: IdValue,
    #[diesel(sql_type = Moment)]
    day: MomentValue,
    #[diesel(sql_type = BigInt)]
    calls: i64,
}

/// Adds calls to the days of keys.
pub(super) fn record(
    connection: &mut Connection,
    days: &[(CompanyId, KeyDay)],
) -> Result<(), Failure> {
    let source = Source::of(days)
        .ids("company_id", |(company, _)| company.uuid())
        .ids("key_id", |(_, day)| day.key.uuid())
        .moments("day", |(_, day)| day.day)
        .ints("calls", |(_, day)| i64::try_from(day.calls).unwrap_or(i64::MAX));
    let insert = sql!(
        "INSERT INTO key_days ({columns}) SELECT {columns} FROM {table} \
         WHERE EXISTS (SELECT 1 FROM companies WHERE companies.id = source.company_id) \
         ON CONFLICT (company_id, key_id, day) DO UPDATE SET calls = key_days.calls + excluded.calls",
        columns = source.names(),
        table = source.table(connection),
    );
    connection.execute(insert)?;
    Ok(())
}

/// The calls with some keys on the days since a moment.
pub(super) fn since(
    connection: &mut Connection,
    company: CompanyId,
    keys: &[ApiKeyId],
    since: Timestamp,
) -> Result<Vec<KeyDay>, Failure> {
    let any = any_id(connection, keys.iter().map(|id| id.uuid()));
    let select = sql!(
        "SELECT key_id, day, calls FROM key_days WHERE company_id = ? AND key_id {} AND day >= ? ORDER BY key_id, day",
        any
    );
    let rows: Vec<DayRow> = connection.rows(select.bind(company).bind(since))?;
    let day = |row: DayRow| KeyDay {
        key: ApiKeyId::new(row.key_id.0),
        day: row.day.0,
        calls: u64::try_from(row.calls).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(day).collect())
}
