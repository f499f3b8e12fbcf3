//! `GET /account`: the user's own password and sessions.

use askama::Template;

use contact_hub_domain::access::{self, MIN_PASSWORD};

use super::oidc;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/account.html")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct AccountPage {
    frame: Frame,
    form: FormView,
    email: String,
    password_sign_in: bool,
    has_password: bool,
    has_two_step: bool,
    has_passkey: bool,
    /// The names of the providers by which the user signs in.
    providers: Vec<String>,
    hint: String,
    sessions: Vec<SessionRow>,
}

struct SessionRow {
    id: String,
    is_own: bool,
    browser: String,
    address: String,
    created_at: Moment,
    seen_at: Moment,
}

pub(crate) async fn handle(caller: PageCaller) -> Answer {
    draw(&caller, FormView::default()).await
}

/// Draws the page; the form is that of the password.
pub(super) async fn draw(caller: &PageCaller, form: FormView) -> Answer {
    let holder = caller.holder();
    let own = holder.session;
    let open = access::list_sessions(&caller.state().ports.access, own.user_id).await?;
    let sessions = open.into_iter().map(|it| SessionRow {
        id: it.session.id.to_string(),
        is_own: it.session.id == own.id,
        browser: it.browser.unwrap_or_else(|| "Unknown browser".to_owned()),
        address: it.address.map_or_else(|| "Unknown".to_owned(), |address| address.to_string()),
        created_at: it.session.created_at.into(),
        seen_at: it.session.seen_at.into(),
    });
    let linked = oidc::linked_providers(caller.state(), holder).await?;
    let page = AccountPage {
        frame: caller.frame(Section::Account, "Account"),
        form,
        email: holder.email.as_str().to_owned(),
        password_sign_in: holder.password_sign_in,
        has_password: holder.has_password,
        has_two_step: holder.has_two_step,
        has_passkey: holder.has_passkey,
        providers: linked.into_iter().map(|(_, name)| name).collect(),
        hint: format!(
            "At least {MIN_PASSWORD} characters. A new password ends your other sessions."
        ),
        sessions: sessions.collect(),
    };
    respond::page_with(page.form.status(), &page)
}
