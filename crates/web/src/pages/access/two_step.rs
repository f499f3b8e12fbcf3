//! `/account/two-step`: set up two-step verification, renew the recovery codes, turn it off.

use askama::Template;

use contact_hub_domain::access::{self, CodeSecret, RecoveryCode};

use super::qr::{Picture, picture};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::notice::Notice;
use crate::pages::respond;

const PATH: &str = "/account/two-step";

#[derive(Template)]
#[template(path = "access/two_step.html")]
struct TwoStepPage {
    frame: Frame,
    is_required: bool,
    since: Moment,
    codes: usize,
}

#[derive(Template)]
#[template(path = "access/two_step_setup.html")]
struct SetupPage {
    frame: Frame,
    form: FormView,
    must_set_up: bool,
    secret: String,
    /// The secret in groups, to be typed.
    shown: String,
    picture: Option<Picture>,
}

#[derive(Template)]
#[template(path = "access/recovery_codes.html")]
struct CodesPage {
    frame: Frame,
    codes: Vec<String>,
}

pub(crate) async fn show(caller: PageCaller) -> Answer {
    let holder = caller.holder();
    let ports = &caller.state().ports.access;
    match access::two_step_state(ports, holder.session.user_id).await? {
        Some(state) => respond::page(&TwoStepPage {
            frame: caller.frame(Section::Account, "Two-step verification"),
            is_required: holder.requires_two_step,
            since: state.since.into(),
            codes: state.codes,
        }),
        None => setup(&caller, &access::fresh_code_secret(ports), FormView::default()),
    }
}

pub(crate) async fn turn_on(caller: PageCaller, form: Form) -> Answer {
    let Some(secret) = CodeSecret::parse(form.text("secret")) else {
        return Ok(respond::see(PATH));
    };
    let cx = caller.context();
    match access::turn_on_two_step(cx.ports, caller.holder(), &secret, form.text("code"), cx.call)
        .await
    {
        Ok(codes) => draw_codes(&caller, &codes),
        Err(error) => setup(&caller, &secret, FormView::refused(&form, error)?.without("code")),
    }
}

pub(crate) async fn turn_off(caller: PageCaller) -> Answer {
    let cx = caller.context();
    access::turn_off_two_step(cx.ports, caller.holder(), cx.call).await?;
    Ok(respond::done(&caller, "/account", Notice::TwoStepOff))
}

pub(crate) async fn renew(caller: PageCaller) -> Answer {
    let cx = caller.context();
    match access::renew_recovery_codes(cx.ports, caller.holder(), cx.call).await? {
        Some(codes) => draw_codes(&caller, &codes),
        None => Ok(respond::see(PATH)),
    }
}

/// The page that shows new recovery codes, only once.
fn draw_codes(caller: &PageCaller, codes: &[RecoveryCode]) -> Answer {
    respond::page(&CodesPage {
        frame: caller.frame(Section::Account, "Recovery codes"),
        codes: codes.iter().map(RecoveryCode::reveal).collect(),
    })
}

fn setup(caller: &PageCaller, secret: &CodeSecret, form: FormView) -> Answer {
    let holder = caller.holder();
    let url = secret.url(&holder.email);
    let groups = secret.reveal().as_bytes().chunks(4).map(String::from_utf8_lossy);
    let page = SetupPage {
        frame: caller.frame(Section::Account, "Set up two-step verification"),
        must_set_up: holder.must_set_up(),
        secret: secret.reveal().to_owned(),
        shown: groups.collect::<Vec<_>>().join(" "),
        picture: url.and_then(|url| picture(&url)),
        form,
    };
    respond::page_with(page.form.status(), &page)
}
