//! `GET /assets/{id}/preview`: the asset's HTML by itself, for a sandboxed frame. `contact` fills in the values of a
//! contact, and `as` converts to the syntax of a platform. `POST /assets/preview` shows the HTML of a form instead.

use actix_web::http::header::{CONTENT_SECURITY_POLICY, ContentType};
use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::ids::AssetId;

use super::sample::{Sample, Shown, WEIGHT};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::headers::FOREIGN;

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<AssetId>,
    request: HttpRequest,
) -> Answer {
    let sample = Sample::of(&Address::of(request.query_string()));
    let html = caller.work(WEIGHT, |caller| async move {
        let contact = sample.contact(&caller).await?;
        let content = sample.content(&caller, id).await?;
        match contact.filter(|_| content.platform.is_none()) {
            Some(contact) => Ok(Shown::filled(&content.asset, &contact)?.html),
            None => Ok(Shown::converted(&content)?.html),
        }
    });
    Ok(foreign(html.await?))
}

/// `POST /assets/preview`
pub(crate) async fn draft(caller: PageCaller, form: Form) -> Answer {
    let copied = caller.work(form.weight(), |_| async move { Ok(form.text("html").to_owned()) });
    Ok(foreign(copied.await?))
}

fn foreign(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, FOREIGN))
        .body(html)
}
