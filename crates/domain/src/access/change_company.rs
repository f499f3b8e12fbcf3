//! Change the company.

use super::{AccessError, Company, CompanyChange};
use crate::context::Context;

/// Changes what a request gave of the caller's company and leaves the rest.
pub async fn change_company(
    cx: &Context<'_>,
    change: CompanyChange,
) -> Result<Company, AccessError> {
    let changed = cx.ports.access.change_company(cx.caller.company.id, change).await?;
    Ok(changed.ok_or(AccessError::CompanyNotFound)??)
}
