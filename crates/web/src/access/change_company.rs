//! Change the company.

use contact_hub_domain::access;

use super::json::{CompanyJson, company_change};
use super::shapes;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    COMPANY
        .on(PATCH, "/company", handle)
        .operation("changeCompany", "Change the company", Success::One(shapes::COMPANY))
        .details(
            "What is absent stays; allowed domains are replaced as a whole. Without the \
             product access, only the company and the audit can be read, and this call can switch \
             it on again.",
        )
        .reads(shapes::COMPANY_CHANGE)
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let change = company_change(&body.object()?);
    let company = access::change_company(&caller.context(), change).await?;
    Ok(envelope::ok(&CompanyJson::from(&company)))
}
