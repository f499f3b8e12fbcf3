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
    ContactCreated = "contact-created", "The contact is created.";
    ContactRestored = "contact-restored", "The contact was deleted before; it is restored, with the values that it had.";
    ContactChanged = "contact-changed", "The contact is saved.";
    ContactDeleted = "contact-deleted", "The contact is deleted. Creating one with the same email brings it back.";
    FieldCreated = "field-created", "The field is created.";
    FieldChanged = "field-changed", "The field is saved.";
    AssetCreated = "asset-created", "The asset is created.";
    AssetChanged = "asset-changed", "The asset is saved.";
    AssetDeleted = "asset-deleted", "The asset is deleted.";
    SyncRequested = "sync-requested", "The sync is requested. Its state below follows what the platform reports.";
    Connected = "connected", "The platform is connected. Assets can be published to it once a webhook tells its service.";
    ConnectionChanged = "connection-changed", "The connection is saved.";
    Disconnected = "disconnected", "The connection is deleted.";
    WebhookChanged = "webhook-changed", "The webhook is saved.";
    WebhookDeleted = "webhook-deleted", "The webhook is deleted.";
    SecretsEnded = "secrets-ended", "Only the present secret is valid now.";
    Resent = "resent", "The delivery is sent again.";
    Recovered = "recovered", "What had not arrived since then is sent again.";
    NothingToRecover = "nothing-to-recover", "Everything since then has arrived or is on its way; nothing was sent again.";
    PasswordSet = "password-set", "The password is set. Other sessions have ended.";
    SignedOut = "signed-out", "You are signed out.";
    SessionEnded = "session-ended", "The session is ended.";
    KeyRevoked = "key-revoked", "The key is revoked. Calls with it are refused from now on.";
    CompanyChanged = "company-changed", "The company is saved.";
    UserCreated = "user-created", "The user is created. A one-time link lets them choose a password.";
    UserChanged = "user-changed", "The user is saved.";
    UserDeleted = "user-deleted", "The user is deleted, and their keys and sessions with them.";
}
