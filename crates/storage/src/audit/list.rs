//! Read entries.

use contact_hub_domain::audit::{AuditAction, AuditEntry, AuditPage, AuditQuery};
use contact_hub_domain::ids::CompanyId;

use super::rows::{AuditRow, COLUMNS};
use crate::columns::IdValue;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql, statement};

/// One index determines where entries are looked for. Those of an object are few; an actor and an action have an index of
/// both.
pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    query: &AuditQuery,
) -> Result<AuditPage, Failure> {
    let select = sql!(
        "SELECT {} FROM audit WHERE {} ORDER BY at DESC, position DESC, ordinal DESC LIMIT ?",
        COLUMNS,
        joined(conditions(company, query), " AND "),
    );
    // One row more shows whether another page follows.
    let rows: Vec<AuditRow> = connection.rows(select.bind(i64::from(query.size) + 1))?;
    let entries = rows.into_iter().map(|row| row.into_entry(company));
    let mut entries: Vec<AuditEntry> = entries.collect::<Result<_, _>>()?;
    let size = usize::try_from(query.size).unwrap_or(usize::MAX);
    let more = entries.len() > size;
    entries.truncate(size);
    let next = entries.last().filter(|_| more).map(|entry| entry.cursor);
    Ok(AuditPage { entries, next })
}

fn conditions(company: CompanyId, query: &AuditQuery) -> Vec<Statement> {
    let mut conditions = vec![statement("company_id = ?").bind(company)];
    conditions.extend(query.actor.map(|actor| statement("actor_id = ?").bind(actor)));
    let object = query.object.map(IdValue);
    conditions.extend(object.map(|object| statement("object_id = ?").bind(object)));
    let action = query.action.map(AuditAction::as_str);
    conditions.extend(action.map(|action| statement("action = ?").bind(action)));
    conditions.extend(query.from.map(|from| statement("at >= ?").bind(from)));
    conditions.extend(query.to.map(|to| statement("at <= ?").bind(to)));
    conditions.extend(query.after.map(|after| {
        statement("(at, position, ordinal) < (?, ?, ?)")
            .bind(after.at)
            .bind(after.position.number)
            .bind(after.position.ordinal)
    }));
    conditions
}
