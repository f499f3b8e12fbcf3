//! `GET /account/passkeys`

use askama::Template;

use contact_hub_domain::access::{self, MAX_PASSKEYS, Passkey};

use super::are_on;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/passkeys.html")]
struct PasskeysPage {
    frame: Frame,
    problems: Vec<String>,
    are_on: bool,
    is_full: bool,
    must_set_up: bool,
    most: usize,
    rows: Vec<Row>,
}

struct Row {
    id: String,
    name: String,
    created_at: Moment,
    last_used_at: Option<Moment>,
}

impl From<Passkey> for Row {
    fn from(passkey: Passkey) -> Self {
        Self {
            id: passkey.id.to_string(),
            name: passkey.name.as_str().to_owned(),
            created_at: passkey.created_at.into(),
            last_used_at: passkey.last_used_at.map(Moment::from),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller) -> Answer {
    draw(&caller, FormView::default()).await
}

/// Draws the page; the form is one that was refused.
pub(super) async fn draw(caller: &PageCaller, form: FormView) -> Answer {
    let holder = caller.holder();
    let ports = &caller.state().ports.access;
    let passkeys = access::list_passkeys(ports, holder.session.user_id).await?;
    let page = PasskeysPage {
        frame: caller.frame(Section::Account, "Passkeys"),
        problems: form.others(&[]),
        are_on: are_on(caller.state()),
        is_full: passkeys.len() >= MAX_PASSKEYS,
        must_set_up: holder.must_set_up(),
        most: MAX_PASSKEYS,
        rows: passkeys.into_iter().map(Row::from).collect(),
    };
    respond::page_with(form.status(), &page)
}
