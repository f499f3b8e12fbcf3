//! `GET /fields/{id}/values`

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::fields;
use contact_hub_domain::ids::FieldId;

use super::json::raw;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<FieldId>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let page = fields::list_values(&caller.context(), id, request.query_string()).await?;
    let data: Vec<_> = page.items.iter().map(raw).collect();
    Ok(envelope::page(&data, page.meta))
}
