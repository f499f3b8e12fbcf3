//! `GET` and `POST /admin/company/services/new`: a user for the service of a platform, and its key, in one step.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::access::{self, AccessError, CreatedKey, UserDraft};

use super::keys::{draft, draw_token};
use super::roles::{SYNC_SERVICE, preset};
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/service_new.html")]
struct NewServicePage {
    frame: Frame,
    form: FormView,
    /// Whether the person signed in so recently that a new key needs no password.
    is_fresh: bool,
}

pub(crate) async fn show(caller: PageCaller) -> Answer {
    let email = format!("syncs@{}", caller.holder().email.domain());
    draw(&caller, FormView::filled([("email", email.as_str()), ("name", "Syncs")]))
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    match create(&caller, &request, &form).await {
        Ok(created) => draw_token(&caller, &created, &super::user::path(created.key.user_id)),
        Err(error) => draw(&caller, FormView::refused(&form, error)?.without("current")),
    }
}

/// Creates both. The key outlives the session, so the person must have signed in recently or type the password again.
async fn create(
    caller: &PageCaller,
    request: &HttpRequest,
    form: &Form,
) -> Result<CreatedKey, AccessError> {
    let (cx, address) = (caller.context(), Origin::of(request).address);
    let permissions = preset(SYNC_SERVICE).unwrap_or_default();
    let user = UserDraft {
        email: form.clearing("email"),
        permissions: permissions.iter().map(|it| it.as_str().into()).collect(),
    };
    let key = draft(form, caller.now());
    access::confirm(cx.ports, caller.holder(), &form.input("current"), address).await?;
    access::create_service(cx.ports, cx.author(), &user, &key).await
}

fn draw(caller: &PageCaller, form: FormView) -> Answer {
    let is_fresh = caller.holder().session.is_fresh(caller.now());
    let frame = caller.frame(Section::Company, "New user for syncs");
    let page = NewServicePage { frame, form, is_fresh };
    respond::page_with(page.form.status(), &page)
}
