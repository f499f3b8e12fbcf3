//! `PATCH /company`

use actix_web::HttpResponse;

use contact_hub_domain::access;

use super::json::{CompanyJson, company_change};
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Body, Caller, STANDARD_BODY};

pub(crate) async fn handle(
    caller: Caller,
    body: Body<STANDARD_BODY>,
) -> Result<HttpResponse, ApiError> {
    let change = company_change(&body.object()?);
    let company = access::change_company(&caller.context(), change).await?;
    Ok(envelope::ok(&CompanyJson::from(&company)))
}
