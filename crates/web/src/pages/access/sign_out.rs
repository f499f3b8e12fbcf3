//! `POST /sign-out` and `POST /account/sign-out-everywhere`

use actix_web::HttpResponse;

use contact_hub_domain::access;

use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::{cookies, respond};

pub(crate) async fn handle(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    access::sign_out(cx.ports, caller.holder(), cx.call).await?;
    Ok(ended(&caller, Notice::SignedOut))
}

pub(crate) async fn everywhere(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    access::sign_out_everywhere(cx.ports, cx.caller.user_id, cx.call).await?;
    Ok(ended(&caller, Notice::SignedOutEverywhere))
}

fn ended(caller: &PageCaller, notice: Notice) -> HttpResponse {
    let mut response = respond::done(caller, "/sign-in", notice);
    response.add_cookie(&cookies::drop_session(caller.who.is_secure)).ok();
    response
}
