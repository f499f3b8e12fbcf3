//! Create a company.

use garde::Validate;

use super::{AccessError, Allowlist, Company, CompanyName, DomainPattern, MAX_ALLOWED_DOMAINS};
use crate::context::Ports;
use crate::given::{Given, required};
use crate::ids::{CompanyId, DirectoryId};
use crate::violations::Violations;

/// What a request gave for a new company.
#[derive(Clone, Debug, Validate)]
pub struct CompanyDraft {
    /// The name.
    #[garde(custom(required::<CompanyName>))]
    pub name: Given,
    /// Patterns of the domains to which it sends; none permits every domain.
    #[garde(length(max = MAX_ALLOWED_DOMAINS), inner(custom(required::<DomainPattern>)))]
    pub allowed_domains: Vec<Given>,
    /// Whether the account has the sending product's access.
    #[garde(skip)]
    pub product_access: bool,
}

impl CompanyDraft {
    pub(super) fn judge(&self, ports: &Ports) -> Result<Company, Violations> {
        let mut violations = Violations::default();
        if let Err(report) = self.validate() {
            violations.add_report(&report);
            return Err(violations);
        }
        let name = self.name.required().map_err(|refusal| Violations::one("name", refusal))?;
        let patterns = self.allowed_domains.iter().map(Given::required::<DomainPattern>);
        let patterns = patterns
            .collect::<Result<_, _>>()
            .map_err(|refusal| Violations::one("allowed_domains", refusal))?;
        Ok(Company {
            id: CompanyId::new(ports.ids.next()),
            directory_id: DirectoryId::new(ports.ids.next()),
            name,
            product_access: self.product_access,
            allowed_domains: Allowlist::new(patterns),
            created_at: ports.clock.now(),
        })
    }
}

/// Creates a company. Only an operator does this, so there is no caller.
pub async fn create_company(ports: &Ports, draft: &CompanyDraft) -> Result<Company, AccessError> {
    let company = draft.judge(ports)?;
    ports.access.create_company(company.clone()).await?;
    Ok(company)
}
