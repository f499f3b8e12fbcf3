//! Read the company.

use contact_hub_domain::access;

use super::json::CompanyJson;
use super::shapes;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    COMPANY
        .on(GET, "/company", handle)
        .operation("readCompany", "Read the company", Success::One(shapes::COMPANY))
        .details("The company of the key. It is returned even without the product access.")
}

async fn handle(caller: Caller) -> Answer {
    let company = access::read_company(&caller.context()).await?;
    Ok(envelope::ok(&CompanyJson::from(&company)))
}
