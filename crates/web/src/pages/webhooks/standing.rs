//! Whether a webhook is on and its receiver answers, as pages show it.

use contact_hub_domain::webhooks::{DisabledReason, Webhook};

/// A word with its badge.
pub(super) struct Standing {
    /// On, Off or Failing.
    pub(super) word: &'static str,
    /// The kind of badge.
    pub(super) tone: &'static str,
    /// A sentence, where there is more to say.
    pub(super) sentence: String,
}

/// The standing of a webhook.
pub(super) fn standing(webhook: &Webhook) -> Standing {
    let health = &webhook.health;
    let (word, tone, sentence) = match (health.disabled, health.failed_attempts) {
        (Some(DisabledReason::ByHand), _) => {
            ("Off", "", DisabledReason::ByHand.sentence().to_owned())
        }
        (Some(reason), _) => ("Off", "bad", reason.sentence().to_owned()),
        (None, 0) => ("On", "good", String::new()),
        (None, _) if health.warning => (
            "Failing",
            "bad",
            "Nothing has succeeded for days; it will soon be switched off.".to_owned(),
        ),
        (None, 1) => ("Failing", "bad", "The last attempt failed.".to_owned()),
        (None, failed) => ("Failing", "bad", format!("The last {failed} attempts failed.")),
    };
    Standing { word, tone, sentence }
}
