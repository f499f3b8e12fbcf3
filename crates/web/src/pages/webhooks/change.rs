//! `GET` and `POST /admin/integrations/webhooks/{id}/edit`

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{self, Webhook};

use super::form::{change, draw, filled};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(caller: PageCaller, PathId(id): PathId<WebhookId>) -> Answer {
    let webhook = webhooks::read(&caller.context(), id).await?;
    draw(&caller, filled(&webhook), Some(named(&webhook)))
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<WebhookId>,
    form: Form,
) -> Answer {
    let cx = caller.context();
    let before = webhooks::read(&cx, id).await?;
    match webhooks::change(&cx, id, &change(&form, &before)).await {
        Ok(_changed) => {
            let location = format!("/admin/integrations/webhooks/{id}");
            Ok(respond::done(&caller, &location, Notice::WebhookChanged))
        }
        Err(error) => draw(&caller, FormView::refused(&form, error)?, Some(named(&before))),
    }
}

fn named(webhook: &Webhook) -> Named {
    Named::new(&webhook.id, webhook.name.as_str())
}
