//! Change the company.

use super::{AccessError, Company, CompanyChange};
use crate::context::{AccessPorts, Context};

/// Changes the caller's company. Absent members are left unchanged.
pub async fn change_company(
    cx: &Context<'_, AccessPorts>,
    change: CompanyChange,
) -> Result<Company, AccessError> {
    let now = cx.ports.environment.clock.now();
    let changed = cx.ports.access.change_company(cx.author(), change, now).await?;
    Ok(changed.ok_or(AccessError::CompanyNotFound)??)
}
