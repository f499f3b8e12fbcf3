//! The frame of pages that anyone may open.

use actix_web::HttpRequest;

use crate::pages::frame::{Frame, Section};
use crate::pages::guard;
use crate::state::WebState;

/// The frame with the navigation of the person who is signed in; without it for everyone else.
pub(crate) async fn docs_frame(state: &WebState, request: &HttpRequest, title: &str) -> Frame {
    match guard::visitor(state, request).await {
        Some(person) => Frame::of(&person, Some(Section::Docs), title),
        None => Frame::bare(title),
    }
}
