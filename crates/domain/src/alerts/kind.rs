//! The kinds of alerts.

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::AlertChoice;
use crate::access::{Permission, Permissions};

/// A kind of alert.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumCount, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum AlertKind {
    /// Several attempts at a webhook in a row have failed.
    WebhookFailing,
    /// A webhook will be switched off soon.
    WebhookWarned,
    /// A webhook was switched off.
    WebhookOff,
    /// An import of contacts has ended.
    ImportEnded,
    /// An API key expires soon.
    KeyExpires,
}

impl AlertKind {
    /// Whether a user with these permissions may get it. Alerts of an import go to the user who began it, and those of
    /// keys to the user of the key and to users who manage access.
    #[must_use]
    pub const fn may_get(self, permissions: Permissions, product_access: bool) -> bool {
        match self {
            Self::WebhookFailing | Self::WebhookWarned | Self::WebhookOff => {
                product_access && permissions.has(Permission::ManageIntegrations)
            }
            Self::ImportEnded => product_access && permissions.has(Permission::ContactsApi),
            Self::KeyExpires => true,
        }
    }

    /// Whether a user gets those that are about another user.
    #[must_use]
    pub const fn may_get_of_others(self, permissions: Permissions) -> bool {
        match self {
            Self::WebhookFailing | Self::WebhookWarned | Self::WebhookOff => true,
            Self::ImportEnded => false,
            Self::KeyExpires => permissions.has(Permission::ManageAccess),
        }
    }

    /// The default choice of a user. A person has a password, a passkey or an identity provider to sign in with; the
    /// email of any other user may be a mere label, so nothing is sent to it.
    #[must_use]
    pub const fn default_choice(self, is_person: bool) -> AlertChoice {
        let by_email = is_person && matches!(self, Self::WebhookOff | Self::KeyExpires);
        AlertChoice { by_email, by_webhook: false }
    }
}
