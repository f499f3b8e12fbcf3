//! Read the company.

use super::{AccessError, Company};
use crate::context::{AccessPorts, Context};

/// The caller's company.
pub async fn read_company(cx: &Context<'_, AccessPorts>) -> Result<Company, AccessError> {
    let company = cx.ports.access.read_company(cx.caller.company.id).await?;
    company.ok_or(AccessError::CompanyNotFound)
}
