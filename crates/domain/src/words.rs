//! Enums whose variants have a stable name, in the interface and in stores. The names are derived from the variants.

use crate::text;
use crate::violations::Problem;

/// Gives enums that derive `EnumCount`, `IntoStaticStr` and `VariantArray` their names.
macro_rules! words {
    ($($kind:ty),+ $(,)?) => {$(
        impl $kind {
            /// Every variant, in the order of their declaration.
            pub const ALL: [Self; <Self as strum::EnumCount>::COUNT] =
                *<Self as strum::VariantArray>::VARIANTS.as_array().expect("as many as are counted");

            /// The name in the interface, which is also the stored form.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                self.into()
            }

            /// The variant with this name.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                crate::words::find(word, &Self::ALL)
            }
        }
    )+};
}

words! {
    crate::access::Bucket,
    crate::access::ChallengePurpose,
    crate::alerts::AlertKind,
    crate::audit::AuditAction,
    crate::access::LinkPurpose,
    crate::access::Permission,
    crate::access::SignInMethod,
    crate::changes::ChangeType,
    crate::fields::FieldType,
    crate::fields::Filterable,
    crate::sync::AssetType,
    crate::sync::Platform,
    crate::sync::SyncStatus,
    crate::webhooks::DeliveryState,
    crate::webhooks::DisabledReason,
    crate::webhooks::ErrorClass,
    crate::webhooks::EventKind,
    crate::webhooks::Trigger,
}

/// Reads the name of one of the variants from input.
pub(crate) fn one_of<T: Copy + Into<&'static str>>(text: &str, known: &[T]) -> Result<T, Problem> {
    find(text::trimmed(text), known).ok_or_else(|| Problem::not_one_of(known))
}

fn find<T: Copy + Into<&'static str>>(word: &str, known: &[T]) -> Option<T> {
    known.iter().copied().find(|one| (*one).into() == word)
}

#[cfg(test)]
mod tests {
    use crate::access::{Bucket, ChallengePurpose, LinkPurpose, Permission, SignInMethod};
    use crate::alerts::AlertKind;
    use crate::audit::AuditAction;
    use crate::changes::ChangeType;
    use crate::fields::{FieldType, Filterable};
    use crate::sync::{AssetType, Platform, SyncStatus};
    use crate::webhooks::{DeliveryState, DisabledReason, ErrorClass, EventKind, Trigger};

    /// Clients and stored rows contain these names, so no variant may be renamed.
    macro_rules! names {
        ($($kind:ty: $names:expr;)+) => {$(
            assert_eq!(<$kind>::ALL.map(<$kind>::as_str), $names);
            assert!(<$kind>::ALL.into_iter().all(|one| <$kind>::parse(one.as_str()) == Some(one)));
            assert_eq!(<$kind>::parse(""), None);
        )+};
    }

    #[expect(clippy::too_many_lines, reason = "it is a table")]
    #[test]
    fn names_never_change() {
        names! {
            Bucket: ["standard", "bulk", "pages", "sign_in", "sign_in_of_network", "second_step"];
            AlertKind: [
                "webhook_failing", "webhook_warned", "webhook_off", "import_ended", "key_expires",
            ];
            AuditAction: [
                "contact.deleted", "contact.erased", "contact.exported", "email.unblocked", "contacts.deleted",
                "contacts.restored", "contacts.updated", "contacts.exported",
                "contacts.imported", "contacts.upserted", "view.saved", "view.deleted", "field.created", "field.updated",
                "asset.created", "asset.updated", "asset.deleted", "integration.created",
                "integration.updated", "integration.deleted", "webhook.created", "webhook.updated",
                "webhook.deleted", "webhook.secret_rotated", "webhook.secrets_ended",
                "webhook.tested", "webhook.recovered", "delivery.resent",
                "deliveries.resent", "company.created",
                "company.updated", "company.exported", "user.created", "user.updated", "user.deleted", "user.invited",
                "user.password_changed", "user.two_step_on", "user.two_step_off",
                "user.two_step_reset", "user.recovery_codes_renewed", "passkey.created",
                "passkey.updated", "passkey.deleted", "passkey.counter_went_back",
                "user.alerts_changed", "api_key.created",
                "api_key.revoked", "session.created", "session.recovered", "session.by_passkey",
                "session.failed", "session.created_by_provider", "session.failed_at_provider", "user.linked_to_provider",
                "identity_provider.created", "identity_provider.updated", "identity_provider.deleted",
                "session.ended", "sessions.ended",
            ];
            ChallengePurpose: ["register", "sign_in", "confirm"];
            LinkPurpose: ["sign_in", "set_password"];
            Permission: [
                "contacts_api", "download_email", "manage_integrations", "publish", "manage_access"
            ];
            SignInMethod: ["password", "link", "passkey", "company_provider", "operator_provider"];
            ChangeType: [
                "contact.created", "contact.updated", "contact.deleted", "contact.restored",
                "contact.erased", "field.created", "field.updated", "sync.requested",
                "sync.completed", "sync.failed",
            ];
            FieldType: ["string", "number", "date", "datetime", "boolean"];
            Filterable: ["no", "building", "yes"];
            AssetType: ["email", "landing_page"];
            Platform: [
                "marketo", "eloqua", "hubspot", "pardot", "sfmc", "mailchimp", "braze", "klaviyo",
                "iterable", "responsys", "adobe_campaign", "customerio", "activecampaign",
                "sendgrid", "adobe_journey_optimizer", "acoustic", "liquid", "handlebars",
            ];
            SyncStatus: ["sync_requested", "completed", "failed"];
            DeliveryState: [
                "pending", "in_progress", "retrying", "succeeded", "exhausted", "cancelled",
                "skipped",
            ];
            DisabledReason: ["by_hand", "gone", "failing"];
            ErrorClass: [
                "dns", "blocked_address", "connect", "tls", "timeout", "http", "too_large",
                "internal",
            ];
            EventKind: ["syncRequested", "contactsChanged", "fieldsChanged", "syncsChanged", "alertRaised", "test"];
            Trigger: ["scheduled", "resend", "recover", "test"];
        }
    }
}
