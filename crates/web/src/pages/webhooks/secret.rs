//! The page that shows a new secret once. It is the answer to the form itself, so that the secret need not be stored.

use askama::Template;

use contact_hub_domain::webhooks::WithSecret;

use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

/// Asks again for a secret that was typed.
pub(super) const AGAIN: &str = "Enter the secret again, or leave it empty to generate one.";

#[derive(Template)]
#[template(path = "webhooks/secret.html")]
struct SecretPage {
    frame: Frame,
    webhook: Named,
    secret: String,
    library_form: Option<String>,
    from_setup: bool,
}

/// Draws it. `from_setup` adds a way back to the steps of the setup.
pub(super) fn draw(
    caller: &PageCaller,
    title: &str,
    made: &WithSecret,
    from_setup: bool,
) -> Answer {
    let secret = made.secret.reveal().to_owned();
    let library_form = made.secret.library_form().to_string();
    respond::page(&SecretPage {
        frame: caller.frame(Section::Webhooks, title),
        webhook: Named::new(&made.webhook.id, made.webhook.name.as_str()),
        library_form: (library_form != secret).then_some(library_form),
        secret,
        from_setup,
    })
}
