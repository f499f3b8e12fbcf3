//! One type for each kind of id, so that a contact's id cannot be used as a field's id.

use std::fmt;

use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps an id from the [`Ids`](crate::ports::Ids) port or a store.
            #[must_use]
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// Parses the hyphenated form, in any letter case. Other forms are not ids.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                parse_hyphenated(text).map(Self)
            }

            /// The id as a bare UUID, for adapters.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }
    )+};
}

fn parse_hyphenated(text: &str) -> Option<Uuid> {
    // Only the hyphenated form has this length; the parser also accepts others.
    (text.len() == uuid::fmt::Hyphenated::LENGTH).then(|| Uuid::try_parse(text).ok()).flatten()
}

ids! {
    /// Names a company.
    CompanyId;
    /// Names the API directory of a company, which holds its fields.
    DirectoryId;
    /// Names an API user.
    UserId;
    /// Names an API key; it is not the token.
    ApiKeyId;
    /// Names a session on the pages; it is not the token.
    SessionId;
    /// Names an identity provider that a company set.
    OidcProviderId;
    /// Names a one-time link; it is not the token.
    LinkId;
    /// Names a passkey; its authenticator has another id for it.
    PasskeyId;
    /// Names a contact.
    ContactId;
    /// Names a saved view of the list of contacts.
    ViewId;
    /// Names a field.
    FieldId;
    /// Names an asset.
    AssetId;
    /// Names an integration.
    IntegrationId;
    /// Names a sync.
    SyncId;
    /// Names a webhook.
    WebhookId;
    /// Names one secret of a webhook.
    WebhookSecretId;
    /// Names an event; receivers see it as the message's id.
    EventId;
    /// Names the delivery of an event to a webhook.
    DeliveryId;
    /// Names an attempt at a delivery.
    AttemptId;
    /// Names one claim of deliveries. Its holder may record their outcomes.
    LeaseId;
    /// Names a running instance of the service. Each start has a new one.
    InstanceId;
}

#[cfg(test)]
mod tests {
    use super::ContactId;

    #[test]
    fn only_the_hyphenated_form_is_accepted() {
        let lower = "01931e3a-7c00-7000-8000-0000000000ab";
        assert_eq!(ContactId::parse(lower).map(|id| id.to_string()).as_deref(), Some(lower));
        assert_eq!(ContactId::parse(&lower.to_uppercase()), ContactId::parse(lower));
        for other in
            ["", "x", "01931e3a7c0070008000000000000000", "{01931e3a-7c00-7000-8000-0000000000ab}"]
        {
            assert_eq!(ContactId::parse(other), None, "{other}");
        }
    }
}
