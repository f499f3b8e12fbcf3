//! Give a webhook a new secret, while the earlier one stays valid for a time.

use std::time::Duration;

use super::create::{WithSecret, seal};
use super::{NewSecret, Secret, WebhookChange, WebhooksError};
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;
use crate::input::{FromInput, Input};
use crate::property::Property;
use crate::rules::{optional, valid};
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// How long the earlier secret stays valid by default.
pub const DEFAULT_GRACE: Duration = Duration::from_hours(24);

/// The longest time for which it may stay valid.
pub const MAX_GRACE: Duration = Duration::from_hours(7 * 24);

/// A new secret that replaces the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// The new secret.
    pub secret: NewSecret,
    /// When the earlier one expires; `None` ends all earlier ones at once.
    pub previous_until: Option<Timestamp>,
}

/// The input for a rotation. It may contain a secret, so it has no `Debug`.
#[derive(Clone, Default, garde::Validate)]
pub struct RotationDraft {
    /// The new secret; generated when absent.
    #[garde(custom(optional))]
    pub secret: Property<Secret>,
    /// For how many seconds the current one stays valid; 0 ends it and all earlier ones at once.
    #[garde(custom(optional))]
    pub grace_seconds: Property<Grace>,
}

/// A time for which a secret stays valid, in whole seconds.
#[derive(Clone, Copy)]
pub struct Grace(Duration);

impl FromInput for Grace {
    fn from_input(input: &Input) -> Result<Self, Problem> {
        let seconds = match input {
            Input::Number(digits) => digits.parse().ok().map(Duration::from_secs),
            _ => None,
        };
        seconds.filter(|grace| *grace <= MAX_GRACE).map(Self).ok_or_else(|| {
            Problem::new(format!("must be an integer from 0 to {}", MAX_GRACE.as_secs()))
        })
    }
}

impl RotationDraft {
    fn validate(&self) -> Result<(Option<Secret>, Duration), Violations> {
        valid(self, (), |()| {
            let grace = self.grace_seconds.value().map_or(DEFAULT_GRACE, |Grace(grace)| grace);
            Some((self.secret.value(), grace))
        })
    }
}

/// Gives the webhook a new secret, which is shown only once.
pub async fn rotate_secret(
    cx: &Context<'_, WebhookPorts>,
    id: WebhookId,
    draft: &RotationDraft,
) -> Result<WithSecret, WebhooksError> {
    let (typed, grace) = draft.validate()?;
    let (secret, sealed) = seal(cx.ports, typed)?;
    let now = cx.ports.environment.clock.now();
    let previous_until = (!grace.is_zero()).then(|| now.plus(grace));
    let rotation = Some(Rotation { secret: sealed, previous_until });
    let change = WebhookChange { rotation, ..WebhookChange::default() };
    let webhook = cx.ports.webhooks.change(cx.author(), id, change, now).await?;
    Ok(WithSecret { webhook: webhook.ok_or(WebhooksError::WebhookNotFound)?, secret })
}

/// Ends all secrets of the webhook except the current one.
pub async fn end_previous_secrets(
    cx: &Context<'_, WebhookPorts>,
    id: WebhookId,
) -> Result<(), WebhooksError> {
    let now = cx.ports.environment.clock.now();
    let ended = cx.ports.webhooks.end_previous_secrets(cx.author(), id, now).await?;
    if ended { Ok(()) } else { Err(WebhooksError::WebhookNotFound) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{DEFAULT_GRACE, MAX_GRACE, RotationDraft};
    use crate::input::Input;

    fn grace(input: Input) -> Option<Duration> {
        let draft = RotationDraft { grace_seconds: input.into(), ..RotationDraft::default() };
        draft.validate().ok().map(|(_, grace)| grace)
    }

    #[test]
    fn the_grace_period_is_a_whole_number_of_seconds_up_to_a_week() {
        let number = |digits: &str| grace(Input::Number(digits.into()));
        assert_eq!(grace(Input::Absent), Some(DEFAULT_GRACE));
        assert_eq!(grace(Input::Null), Some(DEFAULT_GRACE));
        assert_eq!(number("0"), Some(Duration::ZERO));
        assert_eq!(number("604800"), Some(MAX_GRACE));
        for digits in ["604801", "-1", "1.5", "1e3", "99999999999999999999"] {
            assert_eq!(number(digits), None, "{digits}");
        }
        assert_eq!(grace("60".into()), None);
    }
}
