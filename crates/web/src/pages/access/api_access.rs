//! `GET /account/api-access`: the own keys, and the ways to those of others.

use askama::Template;

use contact_hub_domain::access;
use contact_hub_domain::page::{MAX_PAGE_SIZE, PageRequest};

use super::keys::Keys;
use crate::error::{Answer, ApiError};
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
    users: Option<Users>,
}

/// Users to choose from.
struct Users {
    named: Vec<(String, String)>,
    /// How many there are besides.
    more: u64,
}

impl Users {
    async fn of(caller: &PageCaller) -> Result<Self, ApiError> {
        let page = PageRequest::new(1, MAX_PAGE_SIZE).unwrap_or_default();
        let found = access::list_users(&caller.context(), page).await?;
        let named = found.items.iter().map(|it| (it.id.to_string(), it.email.as_str().to_owned()));
        Ok(Self { named: named.collect(), more: found.meta.total.saturating_sub(found.meta.to) })
    }
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    draw(&caller, &list, FormView::default()).await
}

/// Draws the page; the form is that of a new key.
pub(super) async fn draw(caller: &PageCaller, list: &Listing, form: FormView) -> Answer {
    let me = caller.holder().caller.user_id;
    let users = if caller.who.manages_access() { Some(Users::of(caller).await?) } else { None };
    let page = ApiAccessPage {
        frame: caller.frame(Section::ApiAccess, "API access"),
        form,
        keys: Keys::of(caller, me, list, PATH.to_owned()).await?,
        users,
    };
    respond::page_with(page.form.status(), &page)
}
