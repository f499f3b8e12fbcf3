//! The calls of each hour. Each instance has its own rows, so none waits for another one, and a repetition adds nothing.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::ids::{CompanyId, InstanceId};
use contact_hub_domain::overview::HourlyCalls;
use contact_hub_domain::time::Timestamp;

use crate::columns::{Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct CallsRow {
    #[diesel(sql_type = Moment)]
    hour: MomentValue,
    #[diesel(sql_type = BigInt)]
    admitted: i64,
    #[diesel(sql_type = BigInt)]
    refused: i64,
    #[diesel(sql_type = BigInt)]
    peak: i64,
}

/// Writes the sums of an instance. The sum of an hour never decreases, even if its instance began to count it anew.
pub(super) fn record(
    connection: &mut Connection,
    instance: InstanceId,
    calls: &[(CompanyId, HourlyCalls)],
) -> Result<(), Failure> {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let source = Source::of(calls)
        .ids("company_id", |(company, _)| company.uuid())
        .moments("hour", |(_, calls)| calls.hour)
        .ints("admitted", |(_, calls)| number(calls.admitted))
        .ints("refused", |(_, calls)| number(calls.refused))
        .ints("peak", |(_, calls)| i64::from(calls.peak));
    let insert = sql!(
        "INSERT INTO call_counts (instance_id, {columns}) SELECT CAST(? AS {id}), {columns} FROM {table} \
         WHERE EXISTS (SELECT 1 FROM companies WHERE companies.id = source.company_id) \
         ON CONFLICT (company_id, hour, instance_id) DO UPDATE \
         SET admitted = excluded.admitted, refused = excluded.refused, peak = excluded.peak \
         WHERE excluded.admitted + excluded.refused > call_counts.admitted + call_counts.refused",
        columns = source.names(),
        id = match connection {
            Connection::Postgres(_) => "uuid",
            Connection::Sqlite(_) => "BLOB",
        },
        table = source.table(connection),
    );
    connection.execute(insert.bind(instance))?;
    Ok(())
}

/// The calls of the hours since a moment.
pub(super) fn since(
    connection: &mut Connection,
    company: CompanyId,
    since: Timestamp,
) -> Result<Vec<HourlyCalls>, Failure> {
    let text = "SELECT hour, CAST(sum(admitted) AS bigint) AS admitted, CAST(sum(refused) AS bigint) AS refused, \
         max(peak) AS peak FROM call_counts WHERE company_id = ? AND hour >= ? GROUP BY hour ORDER BY hour";
    let rows: Vec<CallsRow> = connection.rows(statement(text).bind(company).bind(since))?;
    let calls = |row: CallsRow| HourlyCalls {
        hour: row.hour.0,
        admitted: u64::try_from(row.admitted).unwrap_or_default(),
        refused: u64::try_from(row.refused).unwrap_or_default(),
        peak: u32::try_from(row.peak).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(calls).collect())
}
