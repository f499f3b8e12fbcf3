//! `POST /admin/integrations/webhooks/{id}/recover`

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::input::Input;
use contact_hub_domain::webhooks::{self, RecoveryDraft};

use super::read;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<WebhookId>,
    form: Form,
) -> Answer {
    let webhook_id = Input::Text(id.to_string()).into();
    let draft = RecoveryDraft { webhook_id, since: since(&form).into() };
    match webhooks::recover(&caller.context(), &draft).await {
        Ok(recovered) => {
            let notice = if recovered > 0 { Notice::Recovered } else { Notice::NothingToRecover };
            let location = format!("/admin/integrations/webhooks/{id}");
            Ok(respond::done(&caller, &location, notice))
        }
        Err(error) => read::draw(&caller, id, FormView::refused(&form, error)?).await,
    }
}

/// The moment as the script wrote it from the visitor's zone, or as it was typed where no script ran, which is in UTC.
fn since(form: &Form) -> Input {
    match (form.text("since"), form.text("since_local")) {
        ("", "") => Input::Absent,
        ("", typed) => Input::Text(format!("{typed}:00Z")),
        (moment, _) => Input::Text(moment.to_owned()),
    }
}
