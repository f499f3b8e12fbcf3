//! The numbers of active contacts by day. They are taken from the counts that every write keeps, so no contact is read
//! and no write of a contact costs more.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::overview::ContactDay;
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};

/// A company with the number of its active contacts.
#[derive(Clone, QueryableByName)]
pub(super) struct Active {
    #[diesel(sql_type = Id)]
    pub(super) company_id: IdValue,
    #[diesel(sql_type = BigInt)]
    active: i64,
}

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = Moment)]
    day: MomentValue,
    #[diesel(sql_type = BigInt)]
    active: i64,
}

/// The next companies in the order of their ids.
pub(super) fn active_after(
    connection: &mut Connection,
    after: Uuid,
    limit: u32,
) -> Result<Vec<Active>, Failure> {
    let text = "SELECT company_id, active + CAST(coalesce((SELECT sum(contacts) FROM count_changes \
         WHERE count_changes.company_id = contact_counts.company_id), 0) AS bigint) AS active FROM contact_counts \
         WHERE company_id > ? ORDER BY company_id LIMIT ?";
    Ok(connection.rows(statement(text).bind(IdValue(after)).bind(i64::from(limit)))?)
}

/// Writes their numbers for a day.
pub(super) fn record(
    connection: &mut Connection,
    day: Timestamp,
    companies: &[Active],
) -> Result<(), Failure> {
    let source = Source::of(companies)
        .ids("company_id", |row| row.company_id.0)
        .moments("day", |_| day)
        .ints("active", |row| row.active);
    let insert = sql!(
        "INSERT INTO contact_days ({columns}) SELECT {columns} FROM {table} \
         WHERE EXISTS (SELECT 1 FROM companies WHERE companies.id = source.company_id) \
         ON CONFLICT (company_id, day) DO UPDATE SET active = excluded.active \
         WHERE contact_days.active <> excluded.active",
        columns = source.names(),
        table = source.table(connection),
    );
    connection.execute(insert)?;
    Ok(())
}

/// The numbers of the days since a moment.
pub(super) fn since(
    connection: &mut Connection,
    company: CompanyId,
    since: Timestamp,
) -> Result<Vec<ContactDay>, Failure> {
    let text =
        "SELECT day, active FROM contact_days WHERE company_id = ? AND day >= ? ORDER BY day";
    let rows: Vec<DayRow> = connection.rows(statement(text).bind(company).bind(since))?;
    let day = |row: DayRow| ContactDay {
        day: row.day.0,
        active: u64::try_from(row.active).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(day).collect())
}
