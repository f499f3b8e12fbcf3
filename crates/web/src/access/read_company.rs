//! `GET /company`

use actix_web::HttpResponse;

use contact_hub_domain::access;

use super::json::CompanyJson;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::Caller;

pub(crate) async fn handle(caller: Caller) -> Result<HttpResponse, ApiError> {
    let company = access::read_company(&caller.context()).await?;
    Ok(envelope::ok(&CompanyJson::from(&company)))
}
