//! `GET /fields`

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::fields::{self, Field, FieldType};

use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "fields/list.html")]
struct FieldsPage {
    frame: Frame,
    fields: Vec<Row>,
    kinds: [&'static str; 5],
    form: FormView,
}

struct Row {
    id: String,
    name: String,
    key: String,
    kind: &'static str,
}

impl From<&Field> for Row {
    fn from(field: &Field) -> Self {
        let (id, key) = (field.id.to_string(), field.key.to_string());
        Self { id, name: field.name.clone(), key, kind: field.kind.as_str() }
    }
}

pub(crate) async fn handle(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    draw(&caller, StatusCode::OK, FormView::default()).await
}

/// Draws the list with the form below it.
pub(super) async fn draw(
    caller: &PageCaller,
    status: StatusCode,
    form: FormView,
) -> Result<HttpResponse, ApiError> {
    let directory = fields::list(&caller.context()).await?;
    let page = FieldsPage {
        frame: caller.frame(Section::Fields, "Fields"),
        fields: directory.fields().iter().map(Row::from).collect(),
        kinds: FieldType::ALL.map(FieldType::as_str),
        form,
    };
    respond::page_with(status, &page)
}
