//! `POST /account/api-access/keys`, and `POST /admin/company/users/{id}/keys` for another user.

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::access::{self, AccessError};
use contact_hub_domain::ids::UserId;

use super::keys::{draft, draw_token};
use super::{api_access, user};
use crate::error::ApiError;
use crate::extract::PathId;
use crate::origin::Origin;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;

pub(crate) async fn own(
    caller: PageCaller,
    request: HttpRequest,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let (company, me) = (cx.caller.company.id, cx.caller.user_id);
    let draft = draft(&form, caller.now());
    let created = match confirmed(&caller, &request, &form).await {
        Ok(()) => access::create_key(cx.ports, Some(company), me, &draft).await,
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => draw_token(&caller, &created, "/account/api-access"),
        Err(error) => {
            let view = FormView::refused(&form, error)?.without("current");
            api_access::draw(&caller, view.status(), view).await
        }
    }
}

pub(crate) async fn of_user(
    caller: PageCaller,
    PathId(id): PathId<UserId>,
    request: HttpRequest,
    form: Form,
) -> Result<HttpResponse, ApiError> {
    let cx = caller.context();
    let draft = draft(&form, caller.now());
    let created = match confirmed(&caller, &request, &form).await {
        Ok(()) => access::create_key(cx.ports, Some(cx.caller.company.id), id, &draft).await,
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => draw_token(&caller, &created, &format!("/admin/company/users/{id}")),
        Err(error) => {
            let key = FormView::refused(&form, error)?.without("current");
            user::draw(&caller, key.status(), id, None, key).await
        }
    }
}

/// A key outlives the session, so one has to have signed in a moment ago or to type the password again.
async fn confirmed(
    caller: &PageCaller,
    request: &HttpRequest,
    form: &Form,
) -> Result<(), AccessError> {
    let (ports, address) = (&caller.state().ports.access, Origin::of(request).address);
    access::confirm(ports, caller.holder(), &form.input("current"), address).await
}
