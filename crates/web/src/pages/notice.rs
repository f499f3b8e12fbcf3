//! The notice of what was done just before. Only its code, a number and ids are sent, so no foreign text is ever shown.

use contact_hub_domain::ids::ContactId;

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
            fn text(code: &str) -> Option<&'static str> {
                match code { $($code => Some($text),)+ _ => None }
            }
        }
    };
}

/// A notice as a page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownNotice {
    /// The text.
    pub(crate) text: String,
    /// The contacts that a button restores; empty when there is nothing to undo.
    pub(crate) undo: String,
    /// The page that shows it, to come back to.
    pub(crate) back: String,
}

/// The maximum number of contacts that a notice can restore, so that it fits a cookie.
const MAX_UNDO: usize = 100;

/// How many characters an id has.
const ID: usize = 36;

/// A notice with the number of contacts that it is about, and those that can be restored.
pub(crate) fn counted(notice: Notice, count: u64, undo: &[ContactId]) -> String {
    let undo = if undo.len() > MAX_UNDO { &[] } else { undo };
    let ids: String = undo.iter().map(ContactId::to_string).collect();
    format!("{}:{count}:{ids}", notice.code())
}

/// The contacts of an undo; nothing when it is damaged.
pub(crate) fn undone(undo: &str) -> Vec<ContactId> {
    let starts = (0..undo.len()).step_by(ID);
    starts.filter_map(|from| ContactId::parse(undo.get(from..from + ID)?)).collect()
}

/// Parses what the cookie has of a notice, for the page at this address.
pub(crate) fn parse(kept: &str, page: &str) -> Option<ShownNotice> {
    let mut parts = kept.splitn(3, ':');
    let text = Notice::text(parts.next()?)?;
    let count: u64 = parts.next().and_then(|count| count.parse().ok()).unwrap_or_default();
    let contacts = if count == 1 { "1 contact".to_owned() } else { format!("{count} contacts") };
    let undo: String =
        undone(parts.next().unwrap_or_default()).iter().map(ContactId::to_string).collect();
    let text = text.replace("{contacts}", &contacts);
    Some(ShownNotice { text, undo, back: page.to_owned() })
}

notices! {
    ContactCreated = "contact-created", "Contact created.";
    ContactRestored = "contact-restored", "Contact restored with its values.";
    ContactChanged = "contact-changed", "Contact saved.";
    ContactDeleted = "contact-deleted", "Contact deleted. Creating one with the same email brings it back.";
    ContactsDeleted = "contacts-deleted", "{contacts} deleted.";
    ContactsRestored = "contacts-restored", "{contacts} restored with their values.";
    ContactsUpdated = "contacts-updated", "Value set for {contacts}.";
    FewerColumns = "fewer-columns", "A list shows at most 8 columns beside the email: those chosen after them are left out.";
    ViewSaved = "view-saved", "View saved.";
    ViewDeleted = "view-deleted", "View deleted.";
    NothingSelected = "nothing-selected", "Select contacts first.";
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
    Recovered = "recovered", "Failed deliveries since then are being resent, unless their sync is no longer open.";
    NothingToRecover = "nothing-to-recover", "No failed deliveries since then; nothing was resent.";
    PasswordSet = "password-set", "Password set. Other sessions have ended.";
    PasskeyAdded = "passkey-added", "Passkey added. You can sign in with it from now on.";
    PasskeyRenamed = "passkey-renamed", "Passkey renamed.";
    PasskeyDeleted = "passkey-deleted", "Passkey deleted. Delete it on your device too.";
    TwoStepOff = "two-step-off", "Two-step verification is off.";
    AlertsChanged = "alerts-changed", "Alerts saved.";
    TwoStepReset = "two-step-reset", "Two-step verification reset. Passkeys are deleted too: the user signs in without a second step.";
    SignedOut = "signed-out", "You are signed out.";
    SignedOutEverywhere = "signed-out-everywhere", "You are signed out everywhere.";
    SessionEnded = "session-ended", "Session ended.";
    KeyRevoked = "key-revoked", "Key revoked. Calls with it are rejected from now on.";
    CompanyChanged = "company-changed", "Company saved.";
    ProviderCreated = "provider-created", "Identity provider created. Register the redirect address there.";
    ProviderChanged = "provider-changed", "Identity provider saved.";
    ProviderDeleted = "provider-deleted", "Identity provider deleted.";
    PasswordSignInOff = "password-sign-in-off", "Sign-in by password is off.";
    PasswordSignInOn = "password-sign-in-on", "Users can sign in with a password again.";
    UserCreated = "user-created", "User created. Create a one-time link below, with which they sign in for the first time.";
    UserChanged = "user-changed", "User saved.";
    UserDeleted = "user-deleted", "User deleted with their keys and sessions.";
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::ids::ContactId;

    use super::{Notice, counted, parse, undone};

    #[test]
    fn a_notice_has_its_count_and_its_undo_ids() {
        let id = ContactId::parse("01931e3a-7c00-7000-8000-0000000000ab").expect("an id");
        let kept = counted(Notice::ContactsDeleted, 2, &[id, id]);
        let shown = parse(&kept, "/contacts").expect("a notice");
        assert_eq!(shown.text, "2 contacts deleted.");
        assert_eq!(undone(&shown.undo), [id, id]);
        assert_eq!(
            parse("contacts-deleted:1:x", "/").map(|it| (it.text, it.undo)),
            Some(("1 contact deleted.".to_owned(), String::new()))
        );
        let created = parse("contact-created", "/").map(|it| it.text);
        assert_eq!(created.as_deref(), Some("Contact created."));
        assert_eq!(parse("anything", "/"), None);
        let many = counted(Notice::ContactsDeleted, 101, &[id; 101]);
        assert_eq!(parse(&many, "/").map(|it| it.undo), Some(String::new()));
    }
}
