//! `POST /admin/company/users/{id}/invite`: a one-time link by which the user chooses a password. It is shown only
//! once.

use askama::Template;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/invite.html")]
struct InvitePage {
    frame: Frame,
    user: Named,
    url: String,
    expires_at: Moment,
}

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<UserId>) -> Answer {
    let cx = caller.context();
    let user = access::read_user(&cx, id).await?;
    let created = access::invite(&cx, id).await?;
    respond::page(&InvitePage {
        frame: caller.frame(Section::Company, "One-time link"),
        user: Named::new(&id, user.email.as_str()),
        url: created.url(&caller.state().public_url),
        expires_at: created.link.expires_at.into(),
    })
}
