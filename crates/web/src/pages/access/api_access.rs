//! `GET /account/api-access`: the user's own keys, and the link to those of others.

use askama::Template;

use super::keys::Keys;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::respond;

const PATH: &str = "/account/api-access";

#[derive(Template)]
#[template(path = "access/api_access.html")]
struct ApiAccessPage {
    frame: Frame,
    form: FormView,
    keys: Keys,
    manages_access: bool,
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    draw(&caller, &list, FormView::default()).await
}

/// Draws the page; the form is that of a new key.
pub(super) async fn draw(caller: &PageCaller, list: &Listing, form: FormView) -> Answer {
    let me = caller.holder().caller.user_id;
    let page = ApiAccessPage {
        frame: caller.frame(Section::ApiAccess, "API access"),
        form,
        keys: Keys::of(caller, me, list, PATH.to_owned()).await?,
        manages_access: caller.who.manages_access(),
    };
    respond::page_with(page.form.status(), &page)
}
