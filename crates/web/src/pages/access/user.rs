//! `GET` and `POST /admin/company/users/{id}`: a user's permissions and keys.

use askama::Template;

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::UserId;

use super::keys::Keys;
use super::roles::{OWN_CHOICE, ROLES, Role};
use super::user_form::{change, filled, permissions};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::notice::Notice;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/user.html")]
struct UserPage {
    frame: Frame,
    form: FormView,
    key: FormView,
    id: String,
    email: String,
    is_own: bool,
    password_sign_in: bool,
    has_second_step: bool,
    roles: &'static [Role],
    own_choice: &'static str,
    permissions: [(&'static str, &'static str); 5],
    keys: Keys,
}

pub(crate) async fn show(caller: PageCaller, PathId(id): PathId<UserId>, list: Listing) -> Answer {
    draw(&caller, id, &list, Forms::default()).await
}

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<UserId>, form: Form) -> Answer {
    match access::change_user(&caller.context(), id, change(&form)).await {
        Ok(_user) => Ok(respond::done(&caller, &path(id), Notice::UserChanged)),
        Err(error) => {
            let forms = Forms { user: Some(FormView::refused(&form, error)?), ..Forms::default() };
            draw(&caller, id, &Listing::default(), forms).await
        }
    }
}

/// The address of the page.
pub(super) fn path(id: UserId) -> String {
    format!("/admin/company/users/{id}")
}

/// The forms of the page.
#[derive(Default)]
pub(super) struct Forms {
    /// That of the user; when there is none, it is filled with the user's values.
    pub(super) user: Option<FormView>,
    /// That of a new key.
    pub(super) key: FormView,
}

/// Draws the page.
pub(super) async fn draw(
    caller: &PageCaller,
    id: UserId,
    list: &Listing,
    Forms { user: form, key }: Forms,
) -> Answer {
    let status = form.as_ref().unwrap_or(&key).status();
    let user = access::read_user(&caller.context(), id).await?;
    let email = user.email.as_str().to_owned();
    let page = UserPage {
        frame: caller.frame(Section::Company, &email),
        form: form.unwrap_or_else(|| filled(&user)),
        key,
        id: id.to_string(),
        email,
        has_second_step: has_second_step(caller, id).await?,
        password_sign_in: caller.holder().password_sign_in,
        is_own: id == caller.holder().caller.user_id,
        roles: &ROLES,
        own_choice: OWN_CHOICE,
        permissions: permissions(),
        keys: Keys::of(caller, id, list, path(id)).await?,
    };
    respond::page_with(status, &page)
}

/// Whether the user has an app or a passkey.
async fn has_second_step(caller: &PageCaller, id: UserId) -> Result<bool, AccessError> {
    let ports = &caller.state().ports.access;
    let has_app = access::two_step_state(ports, id).await?.is_some();
    Ok(has_app || !access::list_passkeys(ports, id).await?.is_empty())
}
