//! The input for a webhook, and its validation.

use super::{EventKind, PayloadUrl, Secret, Subscriptions, UrlPolicy, WebhookName};
use crate::input::{Input, InputList};
use crate::violations::{Problem, Violations};

/// The maximum number of entries of `events`. There are fewer kinds, but duplicates are allowed.
pub const MAX_EVENTS: usize = 20;

/// The input for a new webhook or a change. It may contain a secret, so it has no `Debug`.
#[derive(Clone, Default)]
pub struct WebhookDraft {
    /// The label.
    pub name: Input,
    /// The address to which events are sent.
    pub url: Input,
    /// The secret that signs them.
    pub secret: Input,
    /// The kinds of events that are sent.
    pub events: InputList<Input>,
    /// Whether it is on.
    pub enabled: Input,
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
    pub(super) fn judge_new(&self, policy: &UrlPolicy) -> Result<NewWebhook, Violations> {
        let mut violations = Violations::default();
        let name = violations.collect("name", self.name.required());
        let url = violations.collect("url", permitted(&self.url, policy));
        let secret = violations.collect("secret", self.secret.optional());
        let events = subscriptions(&self.events, &mut violations);
        let enabled = violations.collect("enabled", self.enabled.boolean());
        match (name, url, secret, events, enabled) {
            (Some(name), Some(url), Some(secret), Some(events), Some(enabled)) => {
                Ok(NewWebhook { name, url, secret, events, enabled: enabled.unwrap_or(true) })
            }
            _ => Err(violations),
        }
    }

    /// Validates a change. Absent members stay. Nothing can be cleared, so null is rejected. All violations are
    /// returned at once.
    pub(super) fn judge_change(&self, policy: &UrlPolicy) -> Result<ChangedWebhook, Violations> {
        let mut violations = Violations::default();
        let mut keep = Keep { violations: &mut violations };
        let name = keep.input("name", &self.name, Input::required);
        let url = keep.input("url", &self.url, |input| permitted(input, policy));
        let secret = keep.input("secret", &self.secret, Input::required);
        let enabled = keep.input("enabled", &self.enabled, |input| {
            input.boolean()?.ok_or_else(|| Problem::new("is required"))
        });
        let events = match &self.events {
            InputList::Absent => None,
            input => subscriptions(input, &mut violations),
        };
        violations.into_result()?;
        Ok(ChangedWebhook { name, url, secret, events, enabled })
    }
}

/// Validates the members that are present.
struct Keep<'a> {
    violations: &'a mut Violations,
}

impl Keep<'_> {
    fn input<T>(
        &mut self,
        path: &str,
        input: &Input,
        read: impl Fn(&Input) -> Result<T, Problem>,
    ) -> Option<T> {
        if *input == Input::Absent {
            return None;
        }
        self.violations.collect(path, read(input))
    }
}

fn permitted(input: &Input, policy: &UrlPolicy) -> Result<PayloadUrl, Problem> {
    let url: PayloadUrl = input.required()?;
    policy.permit(&url).map(|()| url)
}

fn subscriptions(input: &InputList<Input>, violations: &mut Violations) -> Option<Subscriptions> {
    let items = match input.bounded("events", MAX_EVENTS) {
        Ok(items) => items,
        Err(refused) => {
            violations.append(refused);
            return None;
        }
    };
    let kinds = items.iter().enumerate().map(|(place, item)| {
        violations.collect(&format!("events.{place}"), item.required::<EventKind>())
    });
    kinds.collect()
}

#[cfg(test)]
mod tests {
    use super::WebhookDraft;
    use crate::input::{Input, InputList};
    use crate::violations::Violations;
    use crate::webhooks::UrlPolicy;

    fn paths(violations: &Violations) -> Vec<&str> {
        violations.iter().map(|(path, _)| path).collect()
    }

    fn valid() -> WebhookDraft {
        WebhookDraft {
            name: "A".into(),
            url: "https://a.example/hook".into(),
            events: InputList::Items(vec!["syncRequested".into()]),
            ..WebhookDraft::default()
        }
    }

    fn wrong() -> WebhookDraft {
        WebhookDraft {
            name: " ".into(),
            url: "http://10.0.0.1".into(),
            secret: "short".into(),
            events: InputList::Items(vec!["syncRequested".into(), "test".into()]),
            enabled: "true".into(),
        }
    }

    #[test]
    fn a_new_one_is_on_unless_said_otherwise() {
        let policy = UrlPolicy::default();
        let new = valid().judge_new(&policy).expect("valid");
        assert!(new.enabled && new.secret.is_none());
        let nulls = WebhookDraft { secret: Input::Null, enabled: Input::Null, ..valid() };
        assert!(nulls.judge_new(&policy).expect("valid").enabled);
        let off = WebhookDraft { enabled: Input::Bool(false), ..valid() };
        assert!(!off.judge_new(&policy).expect("valid").enabled);
    }

    #[test]
    fn every_violation_is_told_at_once() {
        let policy = UrlPolicy::default();
        let all = ["name", "url", "secret", "events.1", "enabled"];
        assert_eq!(paths(&wrong().judge_new(&policy).expect_err("invalid")), all);
        let changed = wrong().judge_change(&policy).expect_err("invalid");
        assert_eq!(paths(&changed), ["name", "url", "secret", "enabled", "events.1"]);
        let nothing = WebhookDraft::default().judge_new(&policy).expect_err("invalid");
        assert_eq!(paths(&nothing), ["name", "url", "events"]);
        let none = WebhookDraft { events: InputList::Items(Vec::new()), ..valid() };
        assert_eq!(paths(&none.judge_new(&policy).expect_err("invalid")), ["events"]);
    }

    #[test]
    fn a_change_takes_nothing_away() {
        let policy = UrlPolicy::default();
        let nothing = WebhookDraft::default().judge_change(&policy).expect("valid");
        assert!(nothing.name.is_none() && nothing.enabled.is_none() && nothing.events.is_none());
        let nulls = WebhookDraft {
            name: Input::Null,
            url: Input::Null,
            secret: Input::Null,
            enabled: Input::Null,
            ..WebhookDraft::default()
        };
        let refused = nulls.judge_change(&policy).expect_err("invalid");
        assert_eq!(paths(&refused), ["name", "url", "secret", "enabled"]);
    }
}
