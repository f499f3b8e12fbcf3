//! A sample operation for tests of code that handles every operation.

use actix_web::HttpResponse;

use super::prelude::{CHANGES, Caller, Endpoint, GET, Success};

pub(crate) fn endpoint() -> Endpoint {
    CHANGES.on(GET, "/old", handle).operation("readOld", "Read the old", Success::Nothing)
}

async fn handle(_caller: Caller) -> HttpResponse {
    HttpResponse::NoContent().finish()
}
