//! Create a company.

use super::{AccessError, Company, CompanyDraft};
use crate::context::AccessPorts;

/// Creates a company. Only operators do this, so there is no caller.
pub async fn create_company(
    ports: &AccessPorts,
    draft: &CompanyDraft,
) -> Result<Company, AccessError> {
    let company = draft.validate(ports)?;
    ports.access.create_company(company.clone()).await?;
    Ok(company)
}
