//! The domains that the operator allows companies to use, and the providers that have them.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};

use contact_hub_domain::access::{AllowDomainOutcome, CompanyProvider, SignOnDomains};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, OidcProviderId};
use contact_hub_domain::time::Timestamp;

use crate::access::lock::ask;
use crate::audit;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::lock_company;
use crate::statement::statement;

/// A domain of a company, and the provider that has it.
#[derive(QueryableByName)]
pub(super) struct DomainRow {
    #[diesel(sql_type = Text)]
    pub(super) domain: String,
    #[diesel(sql_type = Nullable<Id>)]
    provider_id: Option<IdValue>,
}

#[derive(QueryableByName)]
struct OwnerRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
}

impl DomainRow {
    pub(super) fn is_of(&self, provider: OidcProviderId) -> bool {
        self.provider_id.is_some_and(|id| id.0 == provider.uuid())
    }

    fn is_free_for(&self, provider: OidcProviderId) -> bool {
        self.provider_id.is_none() || self.is_of(provider)
    }
}

/// The domains of a company, in their order.
pub(super) fn of_company(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<DomainRow>, Failure> {
    let text = "SELECT domain, provider_id FROM oidc_domains WHERE company_id = ? ORDER BY domain";
    Ok(connection.rows(statement(text).bind(company))?)
}

/// Gives a provider its domains; returns the first one that it cannot have. The company is locked.
pub(super) fn assign(
    connection: &mut Connection,
    provider: &CompanyProvider,
) -> Result<Option<String>, Failure> {
    let known = of_company(connection, provider.company)?;
    let is_free = |domain: &String| {
        known.iter().any(|row| row.domain == *domain && row.is_free_for(provider.id))
    };
    if let Some(refused) = provider.domains.iter().find(|domain| !is_free(domain)) {
        return Ok(Some(refused.clone()));
    }
    release(connection, provider.company, provider.id)?;
    for domain in &provider.domains {
        let text = "UPDATE oidc_domains SET provider_id = ? WHERE domain = ?";
        connection.execute(statement(text).bind(provider.id).bind(domain.as_str()))?;
    }
    Ok(None)
}

/// Removes the domains of a provider of a locked company.
pub(super) fn release(
    connection: &mut Connection,
    company: CompanyId,
    provider: OidcProviderId,
) -> Result<(), Failure> {
    for row in of_company(connection, company)?.iter().filter(|row| row.is_of(provider)) {
        let text = "UPDATE oidc_domains SET provider_id = NULL WHERE domain = ?";
        connection.execute(statement(text).bind(row.domain.as_str()))?;
    }
    Ok(())
}

/// The provider that has a domain.
pub(super) fn provider_of(
    connection: &mut Connection,
    domain: &str,
) -> Result<Option<OidcProviderId>, Failure> {
    let text = "SELECT oidc_domains.domain, oidc_domains.provider_id FROM oidc_domains JOIN companies \
         ON companies.id = oidc_domains.company_id WHERE oidc_domains.domain = ? AND companies.deleting_since IS NULL";
    let row: Option<DomainRow> = connection.first(statement(text).bind(domain))?;
    Ok(row.and_then(|row| row.provider_id).map(|id| OidcProviderId::new(id.0)))
}

/// Whether any provider has a domain.
pub(super) fn any(connection: &mut Connection) -> Result<bool, Failure> {
    let text = "SELECT EXISTS (SELECT 1 FROM oidc_domains WHERE provider_id IS NOT NULL) AS yes";
    ask(connection, statement(text))
}

pub(super) fn allow(
    connection: &mut Connection,
    by: &Author,
    domain: &str,
    max: usize,
    at: Timestamp,
) -> Result<Recorded<AllowDomainOutcome>, Failure> {
    let company = by.company;
    if !lock_company(connection, company)? {
        return Ok(Recorded::unchanged(AllowDomainOutcome::CompanyUnknown));
    }
    if let Some(owner) = owner(connection, domain)? {
        let is_own = owner == company;
        let outcome = if is_own { AllowDomainOutcome::Allowed } else { AllowDomainOutcome::Taken };
        return Ok(Recorded::unchanged(outcome));
    }
    let before = allowed(connection, company)?;
    if before.0.len() >= max {
        return Ok(Recorded::unchanged(AllowDomainOutcome::Full));
    }
    let text = "INSERT INTO oidc_domains (domain, company_id) VALUES (?, ?) ON CONFLICT (domain) DO NOTHING";
    if connection.execute(statement(text).bind(domain).bind(company))? == 0 {
        return Ok(Recorded::unchanged(AllowDomainOutcome::Taken));
    }
    let entry = change(connection, by, &before, at)?;
    Ok(Recorded::by(audit::append(connection, &entry)?, AllowDomainOutcome::Allowed))
}

/// The domains that a company may use.
pub(super) fn allowed(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<SignOnDomains, Failure> {
    let rows = of_company(connection, company)?;
    Ok(SignOnDomains(rows.into_iter().map(|row| row.domain).collect()))
}

/// The entry of a change of the domains that the author's company may use.
pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    before: &SignOnDomains,
    at: Timestamp,
) -> Result<NewAuditEntry, Failure> {
    let after = allowed(connection, by.company)?;
    let entry = NewAuditEntry::of(by, AuditAction::CompanyUpdated, by.company.uuid(), at);
    Ok(entry.with_changes(before, &after))
}

/// The company that may use a domain.
pub(super) fn owner(
    connection: &mut Connection,
    domain: &str,
) -> Result<Option<CompanyId>, Failure> {
    let text = "SELECT company_id FROM oidc_domains WHERE domain = ?";
    let owner: Option<OwnerRow> = connection.first(statement(text).bind(domain))?;
    Ok(owner.map(|owner| CompanyId::new(owner.company_id.0)))
}

/// Withdraws a domain from a company; false when the company does not have it.
pub(super) fn forbid(
    connection: &mut Connection,
    company: CompanyId,
    domain: &str,
) -> Result<bool, Failure> {
    let text = "DELETE FROM oidc_domains WHERE domain = ? AND company_id = ?";
    Ok(connection.execute(statement(text).bind(domain).bind(company))? == 1)
}
