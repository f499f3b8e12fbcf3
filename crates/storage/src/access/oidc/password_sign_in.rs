//! Whether users of a company can sign in with a password.

use contact_hub_domain::access::{Company, SwitchPasswordSignInOutcome, has_way_in};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::time::Timestamp;

use super::providers;
use super::ways_in::ways_in;
use crate::access::companies;
use crate::audit;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::statement;

/// Switches sign-in by password on or off for a company.
pub(super) fn switch(
    connection: &mut Connection,
    by: &Author,
    is_on: bool,
    at: Timestamp,
) -> Result<Recorded<SwitchPasswordSignInOutcome>, Failure> {
    let Some(before) = companies::find(connection, by.company, Lock::ForNoKeyUpdate)? else {
        return Ok(Recorded::unchanged(SwitchPasswordSignInOutcome::CompanyUnknown));
    };
    if before.password_sign_in == is_on {
        return Ok(Recorded::unchanged(SwitchPasswordSignInOutcome::Switched));
    }
    let known = providers::of_company(connection, by.company)?;
    if !is_on && !has_way_in(&ways_in(connection, &known)?) {
        return Ok(Recorded::unchanged(SwitchPasswordSignInOutcome::NoWayIn));
    }
    let text = "UPDATE companies SET password_sign_in = ? WHERE id = ?";
    connection.execute(statement(text).bind(is_on).bind(by.company))?;
    let after = Company { password_sign_in: is_on, ..before.clone() };
    let entry = NewAuditEntry::of(by, AuditAction::CompanyUpdated, by.company.uuid(), at);
    let entry = audit::append(connection, &entry.with_changes(&before, &after))?;
    Ok(Recorded::by(entry, SwitchPasswordSignInOutcome::Switched))
}
