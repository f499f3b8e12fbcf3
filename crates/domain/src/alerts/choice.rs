//! How a user wants to get alerts.

use std::collections::BTreeMap;

use super::AlertKind;

/// How a user wants to get alerts of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlertChoice {
    /// By email.
    pub by_email: bool,
    /// As an event for webhooks of the company that are subscribed to alerts.
    pub by_webhook: bool,
}

/// The choices of a user, by kind. A kind that is missing has its default.
pub type AlertChoices = BTreeMap<AlertKind, AlertChoice>;
