//! `POST /contacts/import/fields`: a field for a column, made at the start of an import.

use actix_web::HttpResponse;
use serde::Serialize;

use contact_hub_domain::fields::{self, FieldDraft};

use super::LONG_TEXT;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::contacts::columns::target;
use crate::pages::excerpt::shortened;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;

/// The target that the column becomes.
#[derive(Serialize)]
struct Made {
    target: String,
    label: String,
}

/// Why no field was made, in one sentence.
#[derive(Serialize)]
struct NotMade {
    problem: String,
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let draft = FieldDraft {
        name: form.input("name"),
        r#type: form.input("type"),
        ..FieldDraft::default()
    };
    let cx = caller.context();
    let field = match fields::create(&cx, &draft).await {
        Ok(field) => field,
        Err(error) => {
            let view = FormView::refused(&form, error)?;
            let beside = view.errors("name").into_iter();
            let problem = beside.chain(view.others(&["name"])).collect::<Vec<_>>().join(" ");
            return Ok(HttpResponse::build(view.status()).json(NotMade { problem }));
        }
    };
    let directory = fields::list(&cx).await?;
    let place = directory.fields().iter().position(|it| it.id == field.id).unwrap_or_default();
    let label = shortened(&field.name, LONG_TEXT);
    Ok(HttpResponse::Ok().json(Made { target: target(place), label }))
}
