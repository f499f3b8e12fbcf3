//! Deliver again everything that failed since a moment.

use super::WebhooksError;
use crate::context::{Context, WebhookPorts};
use crate::ids::WebhookId;
use crate::input::FromText;
use crate::property::Property;
use crate::rules::{required, valid};
use crate::text;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// The input for a recovery.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct RecoveryDraft {
    /// The webhook.
    #[garde(custom(required))]
    pub webhook_id: Property<WebhookId>,
    /// The beginning, in RFC 3339.
    #[garde(custom(required))]
    pub since: Property<Timestamp>,
}

impl FromText for WebhookId {
    fn from_text(text: &str) -> Result<Self, Problem> {
        Self::parse(text::trimmed(text)).ok_or_else(|| Problem::new("must be an id"))
    }
}

impl RecoveryDraft {
    fn validate(&self) -> Result<(WebhookId, Timestamp), Violations> {
        valid(self, (), |()| self.webhook_id.value().zip(self.since.value()))
    }
}

/// Restarts all deliveries of the webhook that became `exhausted` or `skipped` since a moment, and returns their
/// number. The number includes deliveries whose sync is no longer open, but these are cancelled instead of restarted.
/// Deliveries that are already cancelled stay cancelled. Tests are left out.
pub async fn recover(
    cx: &Context<'_, WebhookPorts>,
    draft: &RecoveryDraft,
) -> Result<u64, WebhooksError> {
    let (webhook, since) = draft.validate()?;
    let now = cx.ports.environment.clock.now();
    let recovered = cx.ports.webhooks.recover(cx.author(), webhook, since, now).await?;
    let recovered = recovered.ok_or(WebhooksError::WebhookNotFound)?;
    if recovered > 0 {
        cx.ports.signal.wake();
    }
    Ok(recovered)
}

#[cfg(test)]
mod tests {
    use super::RecoveryDraft;
    use crate::input::Input;

    #[test]
    fn both_members_are_required() {
        let paths = |draft: RecoveryDraft| -> Vec<String> {
            let violations = draft.validate().expect_err("invalid");
            violations.iter().map(|(path, _)| path.to_owned()).collect()
        };
        assert_eq!(paths(RecoveryDraft::default()), ["since", "webhook_id"]);
        let wrong =
            RecoveryDraft { webhook_id: "7".into(), since: Input::Number("7".into()).into() };
        assert_eq!(paths(wrong), ["since", "webhook_id"]);
        let id = "01931e3a-7c00-7000-8000-0000000000ab";
        let day = RecoveryDraft { webhook_id: id.into(), since: "2026-11-20".into() };
        assert_eq!(paths(day), ["since"]);
    }
}
