//! Email domains that the operator allows companies to use.

use super::{AllowDomainOutcome, MAX_OIDC_DOMAINS, OidcDomain};
use crate::access::AccessError;
use crate::author::Author;
use crate::context::AccessPorts;
use crate::ids::CompanyId;
use crate::input::FromText;
use crate::limits::exceeded;
use crate::violations::{Problem, Violations};

/// The domains that a company may use: a setting of the company that the operator changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOnDomains(pub Vec<String>);

/// Allows a company to use a domain, whose emails lead to its identity provider on the sign-in page. A domain belongs
/// to at most one company.
pub async fn allow_oidc_domain(
    ports: &AccessPorts,
    company: CompanyId,
    domain: &str,
) -> Result<(), AccessError> {
    let domain = OidcDomain::from_text(domain);
    let domain = domain.map_err(|problem| Violations::one("domain", problem))?;
    let (domain, max) = (domain.as_str().to_owned(), MAX_OIDC_DOMAINS);
    let (by, now) = (Author::from(company), ports.environment.clock.now());
    match ports.oidc.company_providers.allow_oidc_domain(by, domain, max, now).await? {
        AllowDomainOutcome::Allowed => Ok(()),
        AllowDomainOutcome::CompanyUnknown => Err(AccessError::CompanyNotFound),
        AllowDomainOutcome::Taken => {
            Err(Violations::one("domain", Problem::new("belongs to another company")).into())
        }
        AllowDomainOutcome::Full => {
            Err(exceeded("domain", "a company", MAX_OIDC_DOMAINS, "domain").into())
        }
    }
}

/// Withdraws a domain from its company, and from the provider that has it; false when no company has it.
pub async fn forbid_oidc_domain(ports: &AccessPorts, domain: &str) -> Result<bool, AccessError> {
    let now = ports.environment.clock.now();
    Ok(ports.oidc.company_providers.forbid_oidc_domain(domain.to_owned(), now).await?)
}
