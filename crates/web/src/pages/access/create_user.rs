//! `GET` and `POST /admin/company/users/new`

use askama::Template;

use contact_hub_domain::access;

use super::roles::{OWN_CHOICE, ROLES, Role};
use super::user_form::{draft, permissions, without_role};
use crate::error::{Answer, ApiError};
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/user_new.html")]
struct NewUserPage {
    frame: Frame,
    form: FormView,
    roles: &'static [Role],
    own_choice: &'static str,
    permissions: [(&'static str, &'static str); 5],
}

pub(crate) async fn show(caller: PageCaller) -> Answer {
    draw(&caller, FormView::default())
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    if let Some(violations) = without_role(&form) {
        return draw(&caller, FormView::refused(&form, ApiError::Validation(violations))?);
    }
    let cx = caller.context();
    match access::create_user(cx.ports, cx.author(), &draft(&form)).await {
        Ok(user) => {
            let location = format!("/admin/company/users/{}", user.id);
            Ok(respond::done(&caller, &location, Notice::UserCreated))
        }
        Err(error) => draw(&caller, FormView::refused(&form, error)?),
    }
}

fn draw(caller: &PageCaller, form: FormView) -> Answer {
    let frame = caller.frame(Section::Company, "New user");
    let page = NewUserPage {
        frame,
        form,
        roles: &ROLES,
        own_choice: OWN_CHOICE,
        permissions: permissions(),
    };
    respond::page_with(page.form.status(), &page)
}
