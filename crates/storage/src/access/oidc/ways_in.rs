//! Whether users can sign in without passwords.

use contact_hub_domain::access::{
    Company, CompanyProvider, SwitchPasswordSignInOutcome, WayIn, has_way_in, keeps_way_in,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, OidcProviderId};
use contact_hub_domain::time::Timestamp;

use super::providers;
use crate::access::companies;
use crate::access::lock::ask;
use crate::audit;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::statement;

/// Lets the users of a company sign in with a password, or not.
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

/// Whether users of a locked company still have a way in after a provider is replaced, or deleted when there is no other.
pub(super) fn stay(
    connection: &mut Connection,
    company: CompanyId,
    id: OidcProviderId,
    replacement: Option<&CompanyProvider>,
) -> Result<bool, Failure> {
    let text = "SELECT password_sign_in AS yes FROM companies WHERE id = ?";
    if ask(connection, statement(text).bind(company))? {
        return Ok(true);
    }
    let before = providers::of_company(connection, company)?;
    let others = before.iter().filter(|provider| provider.id != id);
    let after: Vec<CompanyProvider> = others.chain(replacement).cloned().collect();
    Ok(keeps_way_in(&ways_in(connection, &before)?, &ways_in(connection, &after)?))
}

/// Providers, of which a company has few, as ways in.
fn ways_in(
    connection: &mut Connection,
    providers: &[CompanyProvider],
) -> Result<Vec<WayIn>, Failure> {
    let text =
        "SELECT EXISTS (SELECT 1 FROM oidc_subjects WHERE provider = ? AND issuer = ?) AS yes";
    let mut ways_in = Vec::with_capacity(providers.len());
    for provider in providers {
        let known = statement(text).bind(provider.id.to_string()).bind(provider.issuer.as_str());
        let works = ask(connection, known)?;
        ways_in.push(WayIn { works, has_domains: !provider.domains.is_empty() });
    }
    Ok(ways_in)
}
