//! Deliver again all that failed since a moment.

use super::WebhooksError;
use crate::context::Context;
use crate::given::{FromText, Given};
use crate::ids::WebhookId;
use crate::text;
use crate::time::Timestamp;
use crate::violations::{Refusal, Violations};

/// What a request gave for a recovery.
#[derive(Clone, Debug, Default)]
pub struct RecoveryDraft {
    /// Whose deliveries.
    pub webhook_id: Given,
    /// Since when, in RFC 3339.
    pub since: Given,
}

impl FromText for WebhookId {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        Self::parse(text::trimmed(text)).ok_or_else(|| Refusal::new("must be an id"))
    }
}

impl RecoveryDraft {
    fn judge(&self) -> Result<(WebhookId, Timestamp), Violations> {
        let mut violations = Violations::default();
        let webhook = violations.keep("webhook_id", self.webhook_id.required());
        let since = violations.keep("since", self.since.required());
        webhook.zip(since).ok_or(violations)
    }
}

/// Sets all deliveries of the webhook going again that ended `exhausted` or `skipped` since a moment, and tells how many.
/// What was cancelled stays so, because it became pointless; tests are left out.
pub async fn recover(cx: &Context<'_>, draft: &RecoveryDraft) -> Result<u64, WebhooksError> {
    let (webhook, since) = draft.judge()?;
    let now = cx.ports.clock.now();
    let recovered = cx.ports.webhooks.recover(cx.caller.company.id, webhook, since, now).await?;
    let recovered = recovered.ok_or(WebhooksError::WebhookNotFound)?;
    if recovered > 0 {
        cx.ports.signal.wake();
    }
    Ok(recovered)
}

#[cfg(test)]
mod tests {
    use super::RecoveryDraft;
    use crate::given::Given;

    #[test]
    fn both_members_are_required() {
        let paths = |draft: RecoveryDraft| -> Vec<String> {
            let violations = draft.judge().expect_err("invalid");
            violations.iter().map(|(path, _)| path.to_owned()).collect()
        };
        assert_eq!(paths(RecoveryDraft::default()), ["webhook_id", "since"]);
        let wrong = RecoveryDraft { webhook_id: "7".into(), since: Given::Number("7".into()) };
        assert_eq!(paths(wrong), ["webhook_id", "since"]);
        let id = "01931e3a-7c00-7000-8000-0000000000ab";
        let day = RecoveryDraft { webhook_id: id.into(), since: "2026-11-20".into() };
        assert_eq!(paths(day), ["since"]);
    }
}
