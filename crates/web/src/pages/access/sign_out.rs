//! `POST /sign-out`

use actix_web::HttpResponse;

use contact_hub_domain::access;

use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::{cookies, respond};

pub(crate) async fn handle(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    access::sign_out(cx.ports, caller.holder(), cx.call).await?;
    let mut response = respond::done(&caller, "/sign-in", Notice::SignedOut);
    response.add_cookie(&cookies::drop_session(caller.who.is_secure)).ok();
    Ok(response)
}
