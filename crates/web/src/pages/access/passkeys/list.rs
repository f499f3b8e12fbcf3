//! `GET /account/passkeys`

use askama::Template;

use contact_hub_domain::access::{self, MAX_PASSKEYS, Passkey};
use contact_hub_domain::ids::PasskeyId;

use super::are_on;
use crate::error::{Answer, ApiError};
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
    /// The form that renames it.
    form: FormView,
}

impl From<Passkey> for Row {
    fn from(passkey: Passkey) -> Self {
        let name = passkey.name.as_str().to_owned();
        Self {
            id: passkey.id.to_string(),
            form: FormView::filled([("name", &name)]),
            name,
            created_at: passkey.created_at.into(),
            last_used_at: passkey.last_used_at.map(Moment::from),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller) -> Answer {
    respond::page(&page_of(&caller).await?)
}

/// Draws the page after a passkey could not be added.
pub(super) async fn with_refused(caller: &PageCaller, form: &FormView) -> Answer {
    let page = PasskeysPage { problems: form.others(&[]), ..page_of(caller).await? };
    respond::page_with(form.status(), &page)
}

/// Draws the page with the form that should have renamed a passkey.
pub(super) async fn with_refused_name(
    caller: &PageCaller,
    id: PasskeyId,
    form: FormView,
) -> Answer {
    let (mut page, status, id) = (page_of(caller).await?, form.status(), id.to_string());
    match page.rows.iter_mut().find(|row| row.id == id) {
        Some(row) => row.form = form,
        None => page.problems = form.others(&[]),
    }
    respond::page_with(status, &page)
}

async fn page_of(caller: &PageCaller) -> Result<PasskeysPage, ApiError> {
    let holder = caller.holder();
    let ports = &caller.state().ports.access;
    let passkeys = access::list_passkeys(ports, holder.session.user_id).await?;
    Ok(PasskeysPage {
        frame: caller.frame(Section::Account, "Passkeys"),
        problems: Vec::new(),
        are_on: are_on(caller.state()),
        is_full: passkeys.len() >= MAX_PASSKEYS,
        must_set_up: holder.must_set_up(),
        most: MAX_PASSKEYS,
        rows: passkeys.into_iter().map(Row::from).collect(),
    })
}
