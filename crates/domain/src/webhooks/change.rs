//! Change a webhook.

use super::create::seal;
use super::rotate_secret::DEFAULT_GRACE;
use super::{
    DisabledReason, Health, PayloadUrl, Rotation, Secret, Subscriptions, Webhook, WebhookDraft,
    WebhookName, WebhooksError,
};
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;
use crate::time::Timestamp;

/// The changed attributes; `None` keeps the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookChange {
    /// The label.
    pub name: Option<WebhookName>,
    /// The address to which events are sent.
    pub url: Option<PayloadUrl>,
    /// The kinds of events that are sent.
    pub events: Option<Subscriptions>,
    /// The new health, if the change switches the webhook on or off. It is ignored if the webhook already is on or off.
    pub switched: Option<Health>,
    /// A new secret.
    pub rotation: Option<Rotation>,
}

impl WebhookChange {
    /// The webhook after the change. It equals the webhook before if nothing changes.
    #[must_use]
    pub fn apply(&self, before: &Webhook, at: Timestamp) -> Webhook {
        let is_switched = |health: &Health| health.is_enabled() != before.health.is_enabled();
        // The failures belong to the receiver at the earlier address.
        let has_moved = self.url.as_ref().is_some_and(|url| *url != before.url);
        let kept = match before.health {
            health if has_moved && health.is_enabled() => Health::default(),
            health => health,
        };
        let mut after = Webhook {
            name: self.name.clone().unwrap_or_else(|| before.name.clone()),
            url: self.url.clone().unwrap_or_else(|| before.url.clone()),
            events: self.events.unwrap_or(before.events),
            health: self.switched.filter(is_switched).unwrap_or(kept),
            ..before.clone()
        };
        if let Some(rotation) = &self.rotation {
            // No earlier secret stays valid for longer than the one that was current until now.
            after.previous_secret_until = rotation.previous_until;
        }
        if self.rotation.is_some() || after != *before {
            after.updated_at = at.after(before.updated_at);
        }
        after
    }
}

impl Webhook {
    /// Whether a change resets the count of failures: after a change of the address, and when the webhook is switched
    /// on or off.
    #[must_use]
    pub fn begins_anew(&self, before: &Self) -> bool {
        self.url != before.url || self.health.is_enabled() != before.health.is_enabled()
    }

    /// Why it is off, if the change switched it off.
    #[must_use]
    pub fn switched_off(&self, before: &Self) -> Option<DisabledReason> {
        self.health.disabled.filter(|_| before.health.is_enabled())
    }
}

/// Changes a webhook. Absent members are left unchanged. Returns the webhook, with the secret if it has a new one.
///
/// A given secret replaces the current one as [`rotate_secret`](super::rotate_secret()) does by default.
pub async fn change(
    cx: &Context<'_, WebhookPorts>,
    id: WebhookId,
    draft: &WebhookDraft,
) -> Result<(Webhook, Option<Secret>), WebhooksError> {
    let changed = draft.validate_change(&cx.ports.url_policy)?;
    let now = cx.ports.environment.clock.now();
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
    let webhook = cx.ports.webhooks.change(cx.author(), id, change, now).await?;
    Ok((webhook.ok_or(WebhooksError::WebhookNotFound)?, secret))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::WebhookChange;
    use crate::ids::{CompanyId, WebhookId, WebhookSecretId};
    use crate::time::Timestamp;
    use crate::webhooks::{
        DisabledReason, Health, NewSecret, PayloadUrl, Rotation, Sealed, Subscriptions, Webhook,
        WebhookName,
    };

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).expect("in range").plus(Duration::from_secs(seconds))
    }

    fn webhook(health: Health) -> Webhook {
        Webhook {
            id: WebhookId::new(Uuid::nil()),
            company: CompanyId::new(Uuid::nil()),
            name: WebhookName::from_stored("before".to_owned()),
            url: PayloadUrl::from_stored("https://a.example/".to_owned()),
            events: Subscriptions::default(),
            health,
            previous_secret_until: Some(at(50)),
            created_at: at(1),
            updated_at: at(10),
        }
    }

    fn switch(on: bool) -> WebhookChange {
        WebhookChange { switched: Some(Health::switched(on)), ..WebhookChange::default() }
    }

    #[test]
    fn a_change_without_effect_keeps_the_version() {
        let failing = Health { failed_attempts: 3, ..Health::switched(true) };
        let gone = Health { disabled: Some(DisabledReason::Gone), ..Health::default() };
        let named = WebhookChange {
            name: Some(WebhookName::from_stored("before".to_owned())),
            ..WebhookChange::default()
        };
        for (health, change) in [(failing, switch(true)), (gone, switch(false)), (failing, named)] {
            let before = webhook(health);
            assert_eq!(change.apply(&before, at(20)), before);
        }
    }

    #[test]
    fn a_change_creates_a_newer_version_and_keeps_the_rest() {
        let before = webhook(Health::switched(true));
        let change = WebhookChange {
            url: Some(PayloadUrl::from_stored("https://b.example/".to_owned())),
            ..WebhookChange::default()
        };
        let after = change.apply(&before, at(5));
        assert!(after.updated_at > before.updated_at && after.begins_anew(&before));
        assert_eq!((&after.name, after.switched_off(&before)), (&before.name, None));
    }

    #[test]
    fn enabling_or_disabling_resets_health_and_disabling_has_a_reason() {
        let on = webhook(Health::switched(true));
        let off = switch(false).apply(&on, at(20));
        assert!(off.begins_anew(&on));
        assert_eq!(off.switched_off(&on), Some(DisabledReason::ByHand));
        let on_again = switch(true).apply(&off, at(21));
        assert!(on_again.begins_anew(&off) && on_again.health.is_enabled());
        assert_eq!(on_again.switched_off(&off), None);
    }

    #[test]
    fn a_rotation_decides_how_long_previous_secrets_are_valid() {
        let before = webhook(Health::switched(true));
        for previous_until in [None, Some(at(30)), Some(at(90))] {
            let sealed = Sealed { key_id: String::new(), bytes: Vec::new() };
            let secret = NewSecret { id: WebhookSecretId::new(Uuid::nil()), sealed };
            let rotation = Some(Rotation { secret, previous_until });
            let change = WebhookChange { rotation, ..WebhookChange::default() };
            let after = change.apply(&before, at(20));
            assert_eq!(after.previous_secret_until, previous_until);
            assert!(after.updated_at == at(20) && !after.begins_anew(&before));
        }
    }
}
