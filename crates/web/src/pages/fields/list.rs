//! `GET /fields`

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::fields::{self, Field, FieldType};

use super::kind;
use crate::error::Answer;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::pager::Pager;
use crate::pages::part::part;
use crate::pages::respond;

pub(super) const PATH: &str = "/fields";

#[derive(Template)]
#[template(path = "fields/list.html")]
struct FieldsPage {
    frame: Frame,
    fields: Vec<Row>,
    pager: Pager,
    /// Each type and the words for it.
    kinds: [(&'static str, &'static str); 5],
    form: FormView,
}

struct Row {
    id: String,
    name: String,
    key: String,
    kind: &'static str,
    archived: bool,
    badge: Option<(&'static str, &'static str)>,
}

impl From<&Field> for Row {
    fn from(field: &Field) -> Self {
        let (id, key) = (field.id.to_string(), field.key.to_string());
        let (name, kind) = (field.name.clone(), kind::words(field.kind));
        let badge = kind::badge(field.filterable);
        Self { id, name, key, kind, archived: field.archived, badge }
    }
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    draw(&caller, &address, FormView::default()).await
}

/// Draws a part of the list with the form below it.
pub(super) async fn draw(caller: &PageCaller, address: &Address, form: FormView) -> Answer {
    let directory = fields::list(&caller.context()).await?;
    let (fields, pager) = part(directory.fields(), PATH, address);
    let page = FieldsPage {
        frame: caller.frame(Section::Fields, "Fields"),
        fields: fields.iter().map(Row::from).collect(),
        pager,
        kinds: FieldType::ALL.map(|kind| (kind.as_str(), kind::words(kind))),
        form,
    };
    respond::page_with(page.form.status(), &page)
}
