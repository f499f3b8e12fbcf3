//! The form of a webhook, for creating and for changing alike.

use askama::Template;

use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;
use contact_hub_domain::webhooks::{EventKind, Webhook, WebhookDraft};

use super::event_choice::EventChoice;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

const SHOWN: [&str; 5] = ["name", "url", "secret", "events", "enabled"];

#[derive(Template)]
#[template(path = "webhooks/form.html")]
struct WebhookForm {
    frame: Frame,
    form: FormView,
    webhook: Option<Named>,
    events: [EventChoice; EventKind::SUBSCRIBABLE.len()],
    shown: &'static [&'static str],
}

/// Draws the form; `webhook` is the one that is changed.
pub(super) fn draw(caller: &PageCaller, form: FormView, webhook: Option<Named>) -> Answer {
    let title = if webhook.is_some() { "Edit webhook" } else { "New webhook" };
    let page = WebhookForm {
        frame: caller.frame(Section::Webhooks, title),
        form,
        webhook,
        events: EventKind::SUBSCRIBABLE.map(EventChoice::from),
        shown: &SHOWN,
    };
    respond::page_with(page.form.status(), &page)
}

/// The new webhook that the form describes. Without a secret, one is generated.
pub(super) fn draft(form: &Form) -> WebhookDraft {
    WebhookDraft {
        name: form.input("name"),
        url: form.input("url"),
        secret: form.input("secret"),
        events: form.list("events"),
        enabled: Input::Bool(form.is_ticked("enabled")).into(),
    }
}

/// The change that the form describes: what was edited in it. `enabled` is included only if it differs, since switching on
/// resets the failures.
pub(super) fn change(form: &Form, webhook: &Webhook) -> WebhookDraft {
    let is_switched = form.is_ticked("enabled") != webhook.health.is_enabled();
    WebhookDraft {
        name: form.edited_text("name"),
        url: form.edited_text("url"),
        secret: Property::Absent,
        events: if form.is_edited("events") { form.list("events") } else { Property::Absent },
        enabled: if is_switched { form.edited_box("enabled") } else { Property::Absent },
    }
}

/// The form filled with a webhook.
pub(super) fn filled(webhook: &Webhook) -> FormView {
    let mut values = vec![
        ("name".to_owned(), webhook.name.as_str().to_owned()),
        ("url".to_owned(), webhook.url.as_str().to_owned()),
    ];
    let events = webhook.events.iter();
    values.extend(events.map(|kind| ("events".to_owned(), kind.as_str().to_owned())));
    if webhook.health.is_enabled() {
        values.push(("enabled".to_owned(), "on".to_owned()));
    }
    FormView::of(values)
}

/// The form of a new webhook, with its defaults.
pub(super) fn fresh() -> FormView {
    FormView::filled([("events", EventKind::SyncRequested.as_str()), ("enabled", "on")])
}
