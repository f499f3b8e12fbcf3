//! `GET /account/api-access`: the own keys, and the ways to those of others.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::access;

use super::keys::{KeyRow, is_fresh, keys_of};
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/api_access.html")]
struct ApiAccessPage {
    frame: Frame,
    form: FormView,
    keys: Vec<KeyRow>,
    users: Option<Vec<(String, String)>>,
    is_fresh: bool,
}

pub(crate) async fn handle(caller: PageCaller) -> Result<HttpResponse, ApiError> {
    draw(&caller, StatusCode::OK, FormView::default()).await
}

/// Draws the page; the form is that of a new key.
pub(super) async fn draw(
    caller: &PageCaller,
    status: StatusCode,
    form: FormView,
) -> Result<HttpResponse, ApiError> {
    let users = if caller.who.manages_access() {
        let found = access::list_users(&caller.context(), "page[size]=100").await?;
        let named = found.items.iter();
        Some(named.map(|it| (it.id.to_string(), it.email.as_str().to_owned())).collect())
    } else {
        None
    };
    let page = ApiAccessPage {
        frame: caller.frame(Section::ApiAccess, "API access"),
        form,
        keys: keys_of(caller, caller.holder().caller.user_id).await?,
        users,
        is_fresh: is_fresh(caller),
    };
    respond::page_with(status, &page)
}
