//! `GET /fields/{id}`: the values in use, and the form of the field.

use askama::Template;

use contact_hub_domain::fields::{self, Field, FieldValue, FieldsError, Filterable, ValuesQuery};
use contact_hub_domain::ids::FieldId;
use contact_hub_domain::page::Page;

use super::kind;
use crate::error::{Answer, ApiError};
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::contacts::values::{LONG_VALUE, in_words};
use crate::pages::excerpt::shortened;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::pager::Pager;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "fields/values.html")]
struct ValuesPage {
    frame: Frame,
    name: String,
    key: String,
    kind: &'static str,
    badge: Option<(&'static str, &'static str)>,
    descending: bool,
    turn: String,
    values: Vec<String>,
    pager: Pager,
    id: String,
    form: FormView,
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<FieldId>,
    list: Listing<ValuesQuery>,
) -> Answer {
    draw(&caller, id, list, None).await
}

/// Draws the page; without a form it has one that is filled as the field is.
pub(super) async fn draw(
    caller: &PageCaller,
    id: FieldId,
    list: Listing<ValuesQuery>,
    form: Option<FormView>,
) -> Answer {
    let field = field(caller, id).await?;
    let found = fields::list_values(&caller.context(), id, list.query).await?;
    let form = form.unwrap_or_else(|| filled(&field));
    respond::page_with(form.status(), &page(caller, field, &list.address, &found, form))
}

fn filled(field: &Field) -> FormView {
    let mut values = vec![("name".to_owned(), field.name.clone())];
    let is_filterable = field.filterable != Filterable::No;
    for (name, ticked) in [("archived", field.archived), ("filterable", is_filterable)] {
        if ticked {
            values.push((name.to_owned(), "on".to_owned()));
        }
    }
    FormView::of(values)
}

fn page(
    caller: &PageCaller,
    field: Field,
    address: &Address,
    found: &Page<FieldValue>,
    form: FormView,
) -> ValuesPage {
    let path = format!("/fields/{}", field.id);
    let descending = address.get("sort") == "-value";
    let turned = if descending { "value" } else { "-value" };
    let others = address.on_first_page().without(|name| name.starts_with("sort"));
    ValuesPage {
        frame: caller.frame(Section::Fields, &field.name),
        name: field.name,
        key: field.key.to_string(),
        kind: kind::words(field.kind),
        badge: kind::badge(field.filterable),
        descending,
        turn: others.with("sort", turned).href(&path),
        values: found.items.iter().map(|it| shortened(&in_words(it), LONG_VALUE)).collect(),
        pager: Pager::new(&path, address, found.meta),
        id: field.id.to_string(),
        form,
    }
}

async fn field(caller: &PageCaller, id: FieldId) -> Result<Field, ApiError> {
    let directory = fields::list(&caller.context()).await?;
    let found = directory.fields().iter().find(|field| field.id == id);
    Ok(found.ok_or(FieldsError::NotFound)?.clone())
}
