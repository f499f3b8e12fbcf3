//! `POST /admin/integrations/webhooks/{id}/rotate-secret`

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::input::Input;
use contact_hub_domain::webhooks::{self, RotationDraft};

use super::{read, secret};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<WebhookId>,
    form: Form,
) -> Answer {
    match webhooks::rotate_secret(&caller.context(), id, &draft(&form)).await {
        Ok(made) => secret::draw(&caller, "Secret rotated", &made, false),
        Err(error) => {
            read::draw(
                &caller,
                id,
                FormView::refused(&form, error)?.without_secret("secret", secret::AGAIN),
            )
            .await
        }
    }
}

fn draft(form: &Form) -> RotationDraft {
    let grace_seconds = match form.text("grace_seconds") {
        "" => Input::Absent,
        digits => Input::Number(digits.to_owned()),
    };
    RotationDraft { secret: form.input("secret"), grace_seconds: grace_seconds.into() }
}
