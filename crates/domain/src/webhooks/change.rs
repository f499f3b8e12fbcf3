//! Change a webhook.

use super::create::seal;
use super::rotate_secret::DEFAULT_GRACE;
use super::{Health, Rotation, Secret, Webhook, WebhookChange, WebhookDraft, WebhooksError};
use crate::context::Context;
use crate::ids::WebhookId;

/// Changes what the request names, and tells how the webhook is now, with the secret when it has a new one.
///
/// A secret that is given takes the current one's place as [`rotate_secret`](super::rotate_secret()) does by default.
pub async fn change(
    cx: &Context<'_>,
    id: WebhookId,
    draft: &WebhookDraft,
) -> Result<(Webhook, Option<Secret>), WebhooksError> {
    let changed = draft.judge_change(&cx.ports.url_policy)?;
    let now = cx.ports.clock.now();
    let (secret, rotation) = match changed.secret {
        Some(secret) => {
            let (secret, sealed) = seal(cx.ports, Some(secret))?;
            let previous_until = Some(now.plus(DEFAULT_GRACE));
            (Some(secret), Some(Rotation { secret: sealed, previous_until }))
        }
        None => (None, None),
    };
    let change = WebhookChange {
        name: changed.name,
        url: changed.url,
        events: changed.events,
        switched: changed.enabled.map(Health::switched),
        rotation,
    };
    let webhook = cx.ports.webhooks.change(cx.caller.company.id, id, change, now).await?;
    Ok((webhook.ok_or(WebhooksError::WebhookNotFound)?, secret))
}
