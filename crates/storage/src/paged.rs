//! Counts of rows, and pages of lists with their totals.

use diesel::QueryableByName;
use diesel::pg::Pg;
use diesel::sql_types::BigInt;
use diesel::sqlite::Sqlite;

use contact_hub_domain::page::{Page, PageRequest};

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql};

/// A count.
#[derive(QueryableByName)]
pub(crate) struct TotalRow {
    #[diesel(sql_type = BigInt)]
    pub(crate) total: i64,
}

/// The count that a statement returns in the column `total`; 0 when it returns no row.
pub(crate) fn total(connection: &mut Connection, count: Statement) -> Result<i64, Failure> {
    Ok(connection.first::<TotalRow>(count)?.map_or(0, |row| row.total))
}

/// A page of the rows that `from` names, with its conditions, and their number.
pub(crate) fn paged<R, T>(
    connection: &mut Connection,
    page: PageRequest,
    columns: impl Into<Statement>,
    from: &Statement,
    order: impl Into<Statement>,
    read: impl Fn(R) -> Result<T, Failure>,
) -> Result<Page<T>, Failure>
where
    R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
{
    let total = total(connection, sql!("SELECT count(*) AS total FROM {}", from))?;
    let select =
        sql!("SELECT {} FROM {} ORDER BY {} LIMIT ? OFFSET ?", columns.into(), from, order.into());
    let offset = i64::try_from(page.offset()).unwrap_or(i64::MAX);
    let rows: Vec<R> = connection.rows(select.bind(i64::from(page.size())).bind(offset))?;
    let items = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(Page::new(page, u64::try_from(total).unwrap_or_default(), items))
}
