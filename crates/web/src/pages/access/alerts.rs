//! `GET` and `POST /account/alerts`: which alerts a person gets.

use askama::Template;

use contact_hub_domain::alerts::{self, AlertChoice, AlertKind};

use super::oidc::linked_providers;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::respond;

const PATH: &str = "/account/alerts";

#[derive(Template)]
#[template(path = "access/alerts.html")]
struct AlertsPage {
    frame: Frame,
    email: String,
    sends_emails: bool,
    rows: Vec<Row>,
}

/// A kind, with what the person chose.
struct Row {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    by_email: bool,
    by_webhook: bool,
}

pub(crate) async fn show(caller: PageCaller) -> Answer {
    let cx = caller.context();
    let holder = caller.holder();
    let is_person = holder.has_password
        || holder.has_passkey
        || !linked_providers(caller.state(), holder).await?.is_empty();
    let choices = alerts::choices(&cx, is_person).await?;
    let row = |(kind, choice): (AlertKind, AlertChoice)| {
        let (label, hint) = words(kind);
        let AlertChoice { by_email, by_webhook } = choice;
        Row { name: kind.as_str(), label, hint, by_email, by_webhook }
    };
    respond::page(&AlertsPage {
        frame: caller.frame(Section::Account, "Alerts"),
        email: caller.holder().email.as_str().to_owned(),
        sends_emails: caller.state().ports.alerts.sends_emails,
        rows: choices.into_iter().map(row).collect(),
    })
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let ticked = |way, kind: AlertKind| form.all(way).any(|name| name == kind.as_str());
    let chosen = AlertKind::ALL.map(|kind| {
        let (by_email, by_webhook) = (ticked("by_email", kind), ticked("by_webhook", kind));
        (kind, AlertChoice { by_email, by_webhook })
    });
    alerts::choose(&caller.context(), &chosen.into()).await?;
    Ok(respond::done(&caller, PATH, Notice::AlertsChanged))
}

/// The label and the hint of a kind.
const fn words(kind: AlertKind) -> (&'static str, &'static str) {
    match kind {
        AlertKind::WebhookFailing => {
            ("A webhook keeps failing", "After five failed attempts in a row.")
        }
        AlertKind::WebhookWarned => (
            "A webhook will be switched off soon",
            "When nothing has succeeded for two and a half days.",
        ),
        AlertKind::WebhookOff => (
            "A webhook was switched off",
            "When nothing has succeeded for five days, or the receiver is gone.",
        ),
        AlertKind::ImportEnded => {
            ("An import has ended", "An import of contacts that you started.")
        }
        AlertKind::KeyExpires => (
            "An API key expires soon",
            "A week before it expires. Your keys, and the keys of all users if you manage access.",
        ),
    }
}
