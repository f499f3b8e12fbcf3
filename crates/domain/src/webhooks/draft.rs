//! The input for a webhook, and its validation.

use std::sync::Arc;

use super::{EventKind, PayloadUrl, Secret, Subscriptions, UrlPolicy, WebhookName};
use crate::property::Property;
use crate::rules::{Purpose, broken, count, needed, offered, required, valid};
use crate::violations::Violations;

/// The maximum number of entries of `events`. There are fewer kinds, but duplicates are allowed.
pub const MAX_EVENTS: usize = 20;

/// The input for a new webhook or a change. It may contain a secret, so it has no `Debug`.
#[derive(Clone, Default, garde::Validate)]
#[garde(context(WebhookRules as rules))]
pub struct WebhookDraft {
    /// The label.
    #[garde(custom(needed(rules.purpose)))]
    pub name: Property<WebhookName>,
    /// The address to which events are sent.
    #[garde(custom(needed(rules.purpose)), custom(permitted))]
    pub url: Property<PayloadUrl>,
    /// The secret that signs them.
    #[garde(custom(offered(rules.purpose)))]
    pub secret: Property<Secret>,
    /// The kinds of events that are sent.
    #[garde(
        custom(needed(rules.purpose)),
        custom(count(1, MAX_EVENTS, "entries")),
        inner(custom(required))
    )]
    pub events: Property<Vec<Property<EventKind>>>,
    /// Whether it is on.
    #[garde(custom(offered(rules.purpose)))]
    pub enabled: Property<bool>,
}

/// The context of the rules.
pub struct WebhookRules {
    purpose: Purpose,
    policy: Arc<UrlPolicy>,
}

fn permitted(url: &Property<PayloadUrl>, rules: &WebhookRules) -> garde::Result {
    let permitted = url.required().map_or(Ok(()), |url| rules.policy.permit(url));
    permitted.or_else(|problem| broken(problem.as_str()))
}

/// The attributes of a new webhook, validated.
#[derive(Debug)]
pub(super) struct NewWebhook {
    pub(super) name: WebhookName,
    pub(super) url: PayloadUrl,
    pub(super) secret: Option<Secret>,
    pub(super) events: Subscriptions,
    pub(super) enabled: bool,
}

/// The changed attributes, validated; `None` for absent ones.
#[derive(Debug)]
pub(super) struct ChangedWebhook {
    pub(super) name: Option<WebhookName>,
    pub(super) url: Option<PayloadUrl>,
    pub(super) secret: Option<Secret>,
    pub(super) events: Option<Subscriptions>,
    pub(super) enabled: Option<bool>,
}

impl WebhookDraft {
    /// Validates a new webhook. Null counts as absent. All violations are returned at once.
    pub(super) fn validate_new(&self, policy: &Arc<UrlPolicy>) -> Result<NewWebhook, Violations> {
        let rules = WebhookRules { purpose: Purpose::New, policy: Arc::clone(policy) };
        valid(self, rules, |_rules| {
            Some(NewWebhook {
                name: self.name.value()?,
                url: self.url.value()?,
                secret: self.secret.value(),
                events: self.events.values()?,
                enabled: self.enabled.value().unwrap_or(true),
            })
        })
    }

    /// Validates a change. Absent members are left unchanged. Nothing can be cleared, so null is rejected. All
    /// violations are returned at once.
    pub(super) fn validate_change(
        &self,
        policy: &Arc<UrlPolicy>,
    ) -> Result<ChangedWebhook, Violations> {
        let rules = WebhookRules { purpose: Purpose::Change, policy: Arc::clone(policy) };
        valid(self, rules, |_rules| {
            Some(ChangedWebhook {
                name: self.name.value(),
                url: self.url.value(),
                secret: self.secret.value(),
                events: self.events.values(),
                enabled: self.enabled.value(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::WebhookDraft;
    use crate::input::Input;
    use crate::property::Property;
    use crate::violations::Violations;

    fn paths(violations: &Violations) -> Vec<&str> {
        violations.iter().map(|(path, _)| path).collect()
    }

    fn valid() -> WebhookDraft {
        WebhookDraft {
            name: "A".into(),
            url: "https://a.example/hook".into(),
            events: ["syncRequested".into()].into_iter().collect(),
            ..WebhookDraft::default()
        }
    }

    fn wrong() -> WebhookDraft {
        WebhookDraft {
            name: " ".into(),
            url: "http://10.0.0.1".into(),
            secret: "short".into(),
            events: ["syncRequested", "test"].map(Property::from).into_iter().collect(),
            enabled: "true".into(),
        }
    }

    #[test]
    fn a_new_webhook_is_enabled_by_default() {
        let policy = Arc::default();
        let new = valid().validate_new(&policy).expect("valid");
        assert!(new.enabled && new.secret.is_none());
        let nulls = WebhookDraft { secret: Property::Null, enabled: Property::Null, ..valid() };
        assert!(nulls.validate_new(&policy).expect("valid").enabled);
        let off = WebhookDraft { enabled: Input::Bool(false).into(), ..valid() };
        assert!(!off.validate_new(&policy).expect("valid").enabled);
    }

    #[test]
    fn every_violation_is_reported_at_once() {
        let policy = Arc::default();
        let all = ["enabled", "name", "secret", "url", "events.1"];
        assert_eq!(paths(&wrong().validate_new(&policy).expect_err("invalid")), all);
        let changed = wrong().validate_change(&policy).expect_err("invalid");
        assert_eq!(paths(&changed), all);
        let nothing = WebhookDraft::default().validate_new(&policy).expect_err("invalid");
        assert_eq!(paths(&nothing), ["events", "name", "url"]);
        let none = WebhookDraft { events: [].into_iter().collect(), ..valid() };
        assert_eq!(paths(&none.validate_new(&policy).expect_err("invalid")), ["events"]);
    }

    #[test]
    fn a_change_cannot_remove_required_members() {
        let policy = Arc::default();
        let nothing = WebhookDraft::default().validate_change(&policy).expect("valid");
        assert!(nothing.name.is_none() && nothing.enabled.is_none() && nothing.events.is_none());
        let nulls = WebhookDraft {
            name: Property::Null,
            url: Property::Null,
            secret: Property::Null,
            enabled: Property::Null,
            ..WebhookDraft::default()
        };
        let refused = nulls.validate_change(&policy).expect_err("invalid");
        assert_eq!(paths(&refused), ["enabled", "name", "secret", "url"]);
    }
}
