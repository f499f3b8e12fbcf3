//! The last import of each user.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::overview::{ImportCounts, LastImport};
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// How many are shown.
const SHOWN: i64 = 5;

#[derive(QueryableByName)]
struct ImportRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = BigInt)]
    created: i64,
    #[diesel(sql_type = BigInt)]
    updated: i64,
    #[diesel(sql_type = BigInt)]
    unchanged: i64,
    #[diesel(sql_type = BigInt)]
    refused: i64,
    #[diesel(sql_type = Moment)]
    ended_at: MomentValue,
}

impl From<ImportRow> for LastImport {
    fn from(row: ImportRow) -> Self {
        let number = |number: i64| u64::try_from(number).unwrap_or_default();
        Self {
            user: UserId::new(row.user_id.0),
            counts: ImportCounts {
                created: number(row.created),
                updated: number(row.updated),
                unchanged: number(row.unchanged),
                refused: number(row.refused),
            },
            ended_at: row.ended_at.0,
        }
    }
}

/// Writes the last import of a user. One of a user who was deleted meanwhile is dropped.
pub(super) fn record(
    connection: &mut Connection,
    company: CompanyId,
    import: &LastImport,
) -> Result<(), Failure> {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let LastImport { user, counts, ended_at } = import;
    let text = "INSERT INTO imports (company_id, user_id, created, updated, unchanged, refused, ended_at) \
         SELECT users.company_id, users.id, ?, ?, ?, ?, ? FROM users WHERE users.id = ? AND users.company_id = ? \
         ON CONFLICT (company_id, user_id) DO UPDATE SET created = excluded.created, updated = excluded.updated, \
         unchanged = excluded.unchanged, refused = excluded.refused, ended_at = excluded.ended_at";
    let insert = statement(text)
        .bind(number(counts.created))
        .bind(number(counts.updated))
        .bind(number(counts.unchanged))
        .bind(number(counts.refused))
        .bind(*ended_at)
        .bind(*user)
        .bind(company);
    connection.execute(insert)?;
    Ok(())
}

/// Those since a moment that refused rows, the latest first.
pub(super) fn with_refused_rows(
    connection: &mut Connection,
    company: CompanyId,
    since: Timestamp,
) -> Result<Vec<LastImport>, Failure> {
    let text = "SELECT user_id, created, updated, unchanged, refused, ended_at FROM imports \
         WHERE company_id = ? AND ended_at >= ? AND refused > 0 ORDER BY ended_at DESC LIMIT ?";
    let rows: Vec<ImportRow> =
        connection.rows(statement(text).bind(company).bind(since).bind(SHOWN))?;
    Ok(rows.into_iter().map(LastImport::from).collect())
}
