//! Create a webhook.

use super::{Health, NewSecret, Secret, Webhook, WebhookDraft, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::{WebhookId, WebhookSecretId};
use crate::limits::exceeded;

/// A webhook with a secret that is shown only once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WithSecret {
    /// The webhook.
    pub webhook: Webhook,
    /// Its new secret.
    pub secret: Secret,
}

/// Creates a webhook. Without a secret it gets a generated one.
///
/// Rejected when the company has as many webhooks as [`Limits`](crate::limits::Limits) allow.
pub async fn create(
    cx: &Context<'_, WebhookPorts>,
    draft: &WebhookDraft,
) -> Result<WithSecret, WebhooksError> {
    let new = draft.validate_new(&cx.ports.url_policy)?;
    let now = cx.ports.environment.clock.now();
    let (secret, sealed) = seal(cx.ports, new.secret)?;
    let webhook = Webhook {
        id: WebhookId::new(cx.ports.environment.ids.next()),
        company: cx.caller.company.id,
        name: new.name,
        url: new.url,
        events: new.events,
        health: Health::switched(new.enabled),
        previous_secret_until: None,
        created_at: now,
        updated_at: now,
    };
    let max = cx.ports.environment.limits.webhooks;
    if cx.ports.webhooks.create(cx.author(), webhook.clone(), sealed, max).await? {
        Ok(WithSecret { webhook, secret })
    } else {
        Err(WebhooksError::Invalid(exceeded("name", "a company", max, "webhook")))
    }
}

/// Seals the given secret, or a generated one, under a new id.
pub(super) fn seal(
    ports: &WebhookPorts,
    typed: Option<Secret>,
) -> Result<(Secret, NewSecret), WebhooksError> {
    let secret = typed.unwrap_or_else(|| Secret::from_random(ports.environment.randomness.bytes()));
    let id = WebhookSecretId::new(ports.environment.ids.next());
    let sealed = ports.vault.seal(id, &secret)?;
    Ok((secret, NewSecret { id, sealed }))
}
