//! The actions that the audit records.

use strum::{EnumCount, IntoStaticStr, VariantArray};

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)+) => {
        /// What was done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
        pub enum AuditAction {
            $($(#[$doc])* #[strum(serialize = $name)] $variant,)+
        }
    };
}

actions! {
    /// A contact was deleted.
    ContactDeleted = "contact.deleted";
    /// A contact was erased.
    ContactErased = "contact.erased";
    /// Everything that is stored about a contact was read.
    ContactExported = "contact.exported";
    /// A blocked email was unblocked.
    EmailUnblocked = "email.unblocked";
    /// Contacts were deleted by one call.
    ContactsDeleted = "contacts.deleted";
    /// Deleted contacts were restored.
    ContactsRestored = "contacts.restored";
    /// Values of many contacts were set at once.
    ContactsUpdated = "contacts.updated";
    /// Contacts were exported.
    ContactsExported = "contacts.exported";
    /// Contacts were written by a part of an import.
    ContactsImported = "contacts.imported";
    /// Contacts were written by a bulk call.
    ContactsUpserted = "contacts.upserted";
    /// A view of the list of contacts was saved.
    ViewSaved = "view.saved";
    /// A view was deleted.
    ViewDeleted = "view.deleted";
    /// A field was created.
    FieldCreated = "field.created";
    /// The settings of a field were changed.
    FieldUpdated = "field.updated";
    /// An asset was created.
    AssetCreated = "asset.created";
    /// An asset was changed.
    AssetUpdated = "asset.updated";
    /// An asset was deleted.
    AssetDeleted = "asset.deleted";
    /// An integration was created.
    IntegrationCreated = "integration.created";
    /// An integration was changed.
    IntegrationUpdated = "integration.updated";
    /// An integration was deleted.
    IntegrationDeleted = "integration.deleted";
    /// A webhook was created.
    WebhookCreated = "webhook.created";
    /// A webhook was changed.
    WebhookUpdated = "webhook.updated";
    /// A webhook was deleted.
    WebhookDeleted = "webhook.deleted";
    /// A webhook got a new secret.
    WebhookSecretRotated = "webhook.secret_rotated";
    /// The earlier secrets of a webhook were ended.
    WebhookSecretsEnded = "webhook.secrets_ended";
    /// A test event was sent to a webhook.
    WebhookTested = "webhook.tested";
    /// The failed deliveries of a webhook were restarted.
    WebhookRecovered = "webhook.recovered";
    /// A delivery was restarted.
    DeliveryResent = "delivery.resent";
    /// Selected deliveries were restarted.
    DeliveriesResent = "deliveries.resent";
    /// The company was created.
    CompanyCreated = "company.created";
    /// The company's settings were changed.
    CompanyUpdated = "company.updated";
    /// Everything of the company was exported.
    CompanyExported = "company.exported";
    /// A user was created.
    UserCreated = "user.created";
    /// A user was changed.
    UserUpdated = "user.updated";
    /// A user was deleted.
    UserDeleted = "user.deleted";
    /// A user got a link to sign in with.
    UserInvited = "user.invited";
    /// A user has a new password.
    PasswordChanged = "user.password_changed";
    /// A user turned two-step verification on.
    TwoStepOn = "user.two_step_on";
    /// A user turned two-step verification off.
    TwoStepOff = "user.two_step_off";
    /// The two-step verification of a user was reset.
    TwoStepReset = "user.two_step_reset";
    /// A user has new recovery codes.
    RecoveryCodesRenewed = "user.recovery_codes_renewed";
    /// A user added a passkey.
    PasskeyCreated = "passkey.created";
    /// A user renamed a passkey.
    PasskeyUpdated = "passkey.updated";
    /// A user deleted a passkey.
    PasskeyDeleted = "passkey.deleted";
    /// A passkey was refused because its counter had not grown: there may be a copy of it.
    PasskeyCounterWentBack = "passkey.counter_went_back";
    /// A user chose which alerts to get.
    AlertsChanged = "user.alerts_changed";
    /// An API key was created.
    KeyCreated = "api_key.created";
    /// An API key was revoked.
    KeyRevoked = "api_key.revoked";
    /// A user signed in.
    SignedIn = "session.created";
    /// A user signed in with a recovery code.
    SignedInByRecovery = "session.recovered";
    /// A user signed in with a passkey.
    SignedInByPasskey = "session.by_passkey";
    /// Somebody tried to sign in as a user with a wrong password, code or passkey, or with a password that the company
    /// does not allow.
    SignInFailed = "session.failed";
    /// A user signed in by an identity provider.
    SignedInByOidc = "session.created_by_provider";
    /// A sign-in by a provider of the company failed.
    OidcFailed = "session.failed_at_provider";
    /// A user is from now on known to an identity provider.
    OidcLinked = "user.linked_to_provider";
    /// An identity provider was created.
    OidcProviderCreated = "identity_provider.created";
    /// An identity provider was changed.
    OidcProviderUpdated = "identity_provider.updated";
    /// An identity provider was deleted.
    OidcProviderDeleted = "identity_provider.deleted";
    /// A session was ended.
    SessionEnded = "session.ended";
    /// A user ended all own sessions.
    SessionsEnded = "sessions.ended";
}
