//! `GET /fields/{id}/values`

use actix_web::HttpResponse;

use contact_hub_domain::fields::{self, ValuesQuery};
use contact_hub_domain::ids::FieldId;

use super::json::raw;
use crate::envelope;
use crate::error::ApiError;
use crate::extract::{Asked, Caller, PathId};

pub(crate) async fn handle(
    caller: Caller,
    PathId(id): PathId<FieldId>,
    Asked(query): Asked<ValuesQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = fields::list_values(&caller.context(), id, query).await?;
    let data: Vec<_> = page.items.iter().map(raw).collect();
    Ok(envelope::page(&data, page.meta))
}
