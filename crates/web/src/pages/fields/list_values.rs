//! `GET /fields/{id}`: the values in use.

use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use contact_hub_domain::fields::{self, FieldsError, ValuesQuery};
use contact_hub_domain::ids::FieldId;

use crate::error::ApiError;
use crate::extract::{Asked, PathId};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::contacts::values::{LONG_VALUE, text_of};
use crate::pages::excerpt::shortened;
use crate::pages::frame::{Frame, Section};
use crate::pages::pager::Pager;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "fields/values.html")]
struct ValuesPage {
    frame: Frame,
    name: String,
    key: String,
    kind: &'static str,
    descending: bool,
    turn: String,
    values: Vec<String>,
    pager: Pager,
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<FieldId>,
    Asked(query): Asked<ValuesQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    let field = directory.fields().iter().find(|field| field.id == id);
    let field = field.ok_or(FieldsError::NotFound)?;
    let found = fields::list_values(&cx, id, query).await?;
    let address = Address::of(request.query_string());
    let path = format!("/fields/{id}");
    let descending = address.get("sort") == "-value";
    let turned = if descending { "value" } else { "-value" };
    let others = address.on_first_page().without(|name| name.starts_with("sort"));
    respond::page(&ValuesPage {
        frame: caller.frame(Section::Fields, &field.name),
        name: field.name.clone(),
        key: field.key.to_string(),
        kind: field.kind.as_str(),
        descending,
        turn: others.with("sort", turned).href(&path),
        values: found.items.iter().map(|it| shortened(&text_of(it), LONG_VALUE)).collect(),
        pager: Pager::new(&path, &address, found.meta),
    })
}
