//! `GET /docs/guide`: the guide for integrators, as it is in the repository.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use super::docs_frame;
use super::markdown::Guide;
use crate::error::Answer;
use crate::pages::frame::Frame;
use crate::pages::headers::protect;
use crate::pages::respond;
use crate::state::WebState;

static GUIDE: LazyLock<Guide> =
    LazyLock::new(|| Guide::of(include_str!("../../../../../docs/integrating.md")));

#[derive(Template)]
#[template(path = "docs/guide.html")]
struct GuidePage {
    frame: Frame,
    guide: &'static Guide,
}

pub(crate) async fn handle(state: web::Data<WebState>, request: HttpRequest) -> Answer {
    let frame = docs_frame(&state, &request, &GUIDE.title).await;
    let mut answer: HttpResponse = respond::page(&GuidePage { frame, guide: &GUIDE })?;
    protect(answer.headers_mut());
    Ok(answer)
}
