//! The notice of what was done just before. Only its code is sent, so no foreign text is ever shown.

macro_rules! notices {
    ($($variant:ident = $code:literal, $text:literal;)+) => {
        /// What was done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Notice {
            $(#[doc = $text] $variant,)+
        }

        impl Notice {
            /// The code.
            pub(crate) const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The text.
            pub(crate) fn shown(code: &str) -> Option<&'static str> {
                match code { $($code => Some($text),)+ _ => None }
            }
        }
    };
}

notices! {
    ContactCreated = "contact-created", "Contact created.";
    ContactRestored = "contact-restored", "Contact restored with the values that it had before it was deleted.";
    ContactChanged = "contact-changed", "Contact saved.";
    ContactDeleted = "contact-deleted", "Contact deleted. Creating one with the same email brings it back.";
    FieldCreated = "field-created", "Field created.";
    FieldChanged = "field-changed", "Field saved.";
    AssetCreated = "asset-created", "Asset created.";
    AssetChanged = "asset-changed", "Asset saved.";
    AssetDeleted = "asset-deleted", "Asset deleted.";
    SyncRequested = "sync-requested", "Sync requested. Its state below is updated when the platform reports.";
    Connected = "connected", "Platform connected. To publish to it, add a webhook for its service.";
    ConnectionChanged = "connection-changed", "Connection saved.";
    Disconnected = "disconnected", "Connection deleted.";
    WebhookChanged = "webhook-changed", "Webhook saved.";
    WebhookDeleted = "webhook-deleted", "Webhook deleted.";
    SecretsEnded = "secrets-ended", "Only the current secret is valid now.";
    Resent = "resent", "Delivery queued again.";
    ResentMany = "resent-many", "Deliveries queued again.";
    Recovered = "recovered", "Failed deliveries since then are being resent.";
    NothingToRecover = "nothing-to-recover", "No failed deliveries since then; nothing was resent.";
    PasswordSet = "password-set", "Password set. Other sessions have ended.";
    TwoStepOff = "two-step-off", "Two-step verification is off.";
    TwoStepReset = "two-step-reset", "Two-step verification reset. The user signs in with the password alone.";
    SignedOut = "signed-out", "You are signed out.";
    SignedOutEverywhere = "signed-out-everywhere", "You are signed out everywhere.";
    SessionEnded = "session-ended", "Session ended.";
    KeyRevoked = "key-revoked", "Key revoked. Calls with it are refused from now on.";
    CompanyChanged = "company-changed", "Company saved.";
    UserCreated = "user-created", "User created. A one-time link lets them choose a password.";
    UserChanged = "user-changed", "User saved.";
    UserDeleted = "user-deleted", "User deleted with their keys and sessions.";
}
