//! `GET /fields/{id}/values`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::fields::{self, FieldsError};
use contact_hub_domain::ids::FieldId;

use super::json::raw;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    id: PathId,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = FieldId::parse(id.as_str()).ok_or(FieldsError::NotFound)?;
    let page = fields::list_values(&caller.context(), id, request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(raw).collect();
    Ok(envelope::page(&data, page.meta))
}
