//! Read and change a company.

use contact_hub_domain::access::{Company, CompanyChange};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::violations::Violations;
use uuid::Uuid;

use super::rows::{COMPANY, CompanyRow, encode_allowlist};
use crate::audit;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::{sql, statement};

/// Reads the company. One that is being deleted is unknown.
pub(super) fn find(
    connection: &mut Connection,
    id: CompanyId,
    lock: Lock,
) -> Result<Option<Company>, Failure> {
    let select = sql!(
        "SELECT {} FROM companies WHERE id = ? AND deleting_since IS NULL{}",
        COMPANY,
        lock.on(connection)
    );
    let row = connection.first::<CompanyRow>(select.bind(id))?;
    row.map(CompanyRow::into_company).transpose()
}

pub(super) fn list(
    connection: &mut Connection,
    after: Option<CompanyId>,
    limit: u32,
) -> Result<Vec<Company>, Failure> {
    let select = sql!(
        "SELECT {} FROM companies WHERE id > ? AND deleting_since IS NULL ORDER BY id LIMIT ?",
        COMPANY
    );
    let after = after.unwrap_or(CompanyId::new(Uuid::nil()));
    let rows: Vec<CompanyRow> = connection.rows(select.bind(after).bind(i64::from(limit)))?;
    rows.into_iter().map(CompanyRow::into_company).collect()
}

pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    change: &CompanyChange,
    at: Timestamp,
) -> Result<Recorded<Option<Result<Company, Violations>>>, Failure> {
    let Some(before) = find(connection, by.company, Lock::ForNoKeyUpdate)? else {
        return Ok(Recorded::unchanged(None));
    };
    let changed = change.apply(&before);
    let Some(after) = changed.as_ref().ok().filter(|after| **after != before) else {
        return Ok(Recorded::unchanged(Some(changed)));
    };
    update(connection, after)?;
    let entry = NewAuditEntry::of(by, AuditAction::CompanyUpdated, after.id.uuid(), at);
    let entry = audit::append(connection, &entry.with_changes(&before, after))?;
    Ok(Recorded::by(entry, Some(changed)))
}

fn update(connection: &mut Connection, company: &Company) -> Result<(), Failure> {
    let text = "UPDATE companies SET name = ?, product_access = ?, allowed_domains = ?, \
         erase_deleted_after_days = ?, requires_two_step = ? WHERE id = ?";
    let update = statement(text)
        .bind(company.name.as_str())
        .bind(company.product_access)
        .bind(encode_allowlist(&company.allowed_domains))
        .bind(company.erase_deleted_after.map(|days| i32::from(days.count())))
        .bind(company.requires_two_step)
        .bind(company.id);
    connection.execute(update)?;
    Ok(())
}
