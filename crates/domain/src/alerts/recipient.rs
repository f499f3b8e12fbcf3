//! Who gets an alert.

use super::{AlertChoice, AlertKind};
use crate::access::Permissions;
use crate::ids::UserId;

/// The maximum number of users who get one alert.
pub const MAX_RECIPIENTS: usize = 100;

/// The maximum number of alerts of a user that wait for an email. Further ones of a kind are counted together.
pub const MAX_WAITING: u32 = 100;

/// A user of the company, who may get an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The user.
    pub user: UserId,
    /// What the user may do.
    pub permissions: Permissions,
    /// Whether the user can sign in without a one-time link.
    pub is_person: bool,
    /// What the user chose for the kind.
    pub choice: Option<AlertChoice>,
}

impl Recipient {
    /// How the user gets an alert; `about` is the user whom it is about.
    fn choice(&self, kind: AlertKind, product_access: bool, about: Option<UserId>) -> AlertChoice {
        let is_own = about.is_none_or(|about| about == self.user);
        let may_get = kind.may_get(self.permissions, product_access)
            && (is_own || kind.may_get_of_others(self.permissions));
        if !may_get {
            return AlertChoice::default();
        }
        self.choice.unwrap_or_else(|| kind.default_choice(self.is_person))
    }
}

/// Who gets an alert.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipients {
    /// The users who get it by email, in the order of their ids: at most [`MAX_RECIPIENTS`], the first of those known.
    pub by_email: Vec<UserId>,
    /// Whether somebody wants webhooks to get it.
    pub by_webhook: bool,
}

impl Recipients {
    /// Those of the known users who get an alert; `about` is the user whom it is about.
    #[must_use]
    pub fn of(
        kind: AlertKind,
        product_access: bool,
        about: Option<UserId>,
        known: &[Recipient],
    ) -> Self {
        let choices = || known.iter().map(|it| (it.user, it.choice(kind, product_access, about)));
        let by_email = choices().filter(|(_, choice)| choice.by_email).map(|(user, _)| user);
        let mut by_email: Vec<UserId> = by_email.take(MAX_RECIPIENTS).collect();
        by_email.sort_unstable();
        Self { by_email, by_webhook: choices().any(|(_, choice)| choice.by_webhook) }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{MAX_RECIPIENTS, Recipient, Recipients};
    use crate::access::{Permission, Permissions};
    use crate::alerts::{AlertChoice, AlertKind};
    use crate::ids::UserId;

    fn user(number: u128) -> UserId {
        UserId::new(Uuid::from_u128(number))
    }

    fn person(number: u128, permissions: &[Permission]) -> Recipient {
        let permissions = permissions.iter().copied().collect();
        Recipient { user: user(number), permissions, is_person: true, choice: None }
    }

    const ON: Option<AlertChoice> = Some(AlertChoice { by_email: true, by_webhook: false });
    const OFF: Option<AlertChoice> = Some(AlertChoice { by_email: false, by_webhook: false });

    #[test]
    fn webhook_managers_get_alerts_of_disabled_webhooks_unless_they_opted_out() {
        let manager = person(1, &[Permission::ManageIntegrations]);
        let known = [
            Recipient { user: user(5), ..manager },
            Recipient { user: user(4), choice: OFF, ..manager },
            Recipient { user: user(3), is_person: false, ..manager },
            Recipient { user: user(2), is_person: false, choice: ON, ..manager },
            Recipient { user: user(1), permissions: Permissions::default(), choice: ON, ..manager },
        ];
        let users = |kind, product| Recipients::of(kind, product, None, &known).by_email;
        assert_eq!(users(AlertKind::WebhookOff, true), [user(2), user(5)]);
        assert_eq!(users(AlertKind::WebhookFailing, true), [user(2)]);
        assert_eq!(users(AlertKind::WebhookOff, false), []);
    }

    #[test]
    fn alerts_of_imports_go_to_one_user_and_of_keys_to_user_and_managers() {
        let about = Some(user(1));
        let known = [
            Recipient { choice: ON, ..person(1, &[Permission::ContactsApi]) },
            Recipient { choice: ON, ..person(2, &[Permission::ContactsApi]) },
            person(3, &[Permission::ManageAccess]),
        ];
        let users = |kind| Recipients::of(kind, true, about, &known).by_email;
        assert_eq!(users(AlertKind::ImportEnded), [user(1)]);
        assert_eq!(users(AlertKind::KeyExpires), [user(1), user(3)]);
    }

    #[test]
    fn the_number_of_recipients_is_bounded() {
        let known: Vec<_> = (0..1000).map(|n| person(n, &[])).collect();
        let users = Recipients::of(AlertKind::KeyExpires, true, None, &known).by_email;
        assert_eq!(users.len(), MAX_RECIPIENTS);
    }

    #[test]
    fn webhooks_get_an_alert_if_a_permitted_user_wants_that() {
        let choice = Some(AlertChoice { by_email: false, by_webhook: true });
        let manager = Recipient { choice, ..person(1, &[Permission::ManageIntegrations]) };
        let editor = Recipient { choice, ..person(2, &[Permission::ContactsApi]) };
        let goes = |known: &[Recipient]| {
            Recipients::of(AlertKind::WebhookOff, true, None, known).by_webhook
        };
        assert!(goes(&[editor, manager]) && !goes(&[editor]) && !goes(&[]));
    }
}
