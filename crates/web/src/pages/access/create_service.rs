//! `GET` and `POST /admin/company/services/new`: a user for the service of a platform, and its key, in one step.

use askama::Template;

use contact_hub_domain::access::{self, AccessError, CreatedKey, UserDraft};

use super::keys::{draft, draw_token};
use super::roles::{SYNC_SERVICE, preset};
use crate::error::Answer;
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
}

pub(crate) async fn show(caller: PageCaller) -> Answer {
    let email = format!("syncs@{}", caller.holder().email.domain());
    draw(&caller, FormView::filled([("email", email.as_str()), ("name", "Syncs")]))
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    match create(&caller, &form).await {
        Ok(created) => draw_token(&caller, &created, &super::user::path(created.key.user_id)),
        Err(error) => draw(&caller, FormView::refused(&form, error)?),
    }
}

async fn create(caller: &PageCaller, form: &Form) -> Result<CreatedKey, AccessError> {
    let cx = caller.context();
    let permissions = preset(SYNC_SERVICE).unwrap_or_default();
    let user = UserDraft {
        email: form.clearing("email"),
        permissions: permissions.iter().map(|it| it.as_str().into()).collect(),
    };
    let key = draft(form, caller.now());
    access::create_service(cx.ports, cx.author(), &user, &key).await
}

fn draw(caller: &PageCaller, form: FormView) -> Answer {
    let frame = caller.frame(Section::Company, "New user for syncs");
    let page = NewServicePage { frame, form };
    respond::page_with(page.form.status(), &page)
}
