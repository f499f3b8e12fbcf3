//! The input for a new user or a change, and its validation.

use super::{Permission, User};
use crate::email::Email;
use crate::ids::{CompanyId, UserId};
use crate::property::Property;
use crate::rules::{Purpose, count, needed, optional, required, valid};
use crate::time::Timestamp;
use crate::violations::Violations;

/// The maximum number of permissions in one request, including repetitions.
pub const MAX_GIVEN_PERMISSIONS: usize = 100;

/// The input for a new user or a change.
#[derive(Clone, Debug, Default, garde::Validate)]
#[garde(context(Purpose as purpose))]
pub struct UserDraft {
    /// The address; required.
    #[garde(custom(needed(*purpose)))]
    pub email: Property<Email>,
    /// The names of the permissions; duplicates count once.
    #[garde(
        custom(optional),
        custom(count(0, MAX_GIVEN_PERMISSIONS, "entries")),
        inner(custom(required))
    )]
    pub permissions: Property<Vec<Property<Permission>>>,
}

impl UserDraft {
    /// Validates a new user. The permissions may be absent; then the user has none. All violations are returned at
    /// once.
    pub fn validate(
        &self,
        id: UserId,
        company_id: CompanyId,
        created_at: Timestamp,
    ) -> Result<User, Violations> {
        valid(self, Purpose::New, |_new| {
            let permissions = self.permissions.values().unwrap_or_default();
            Some(User { id, company_id, email: self.email.value()?, permissions, created_at })
        })
    }

    /// The user after a change. Absent members are left unchanged. All violations are returned at once.
    pub fn apply(&self, before: &User) -> Result<User, Violations> {
        valid(self, Purpose::Change, |_change| {
            let permissions = self.permissions.values().unwrap_or(before.permissions);
            Some(User { email: self.email.or(&before.email), permissions, ..before.clone() })
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::UserDraft;
    use crate::access::{Permission, Permissions, User};
    use crate::ids::{CompanyId, UserId};
    use crate::property::Property;
    use crate::time::Timestamp;
    use crate::violations::Violations;

    fn permissions(words: &[&str]) -> Property<Vec<Property<Permission>>> {
        words.iter().map(|word| Property::from(*word)).collect()
    }

    fn validate(draft: &UserDraft) -> Result<User, Violations> {
        let (id, company) = (UserId::new(Uuid::nil()), CompanyId::new(Uuid::nil()));
        draft.validate(id, company, Timestamp::MIN)
    }

    fn ann() -> UserDraft {
        UserDraft {
            email: "ann@example.com".into(),
            permissions: permissions(&["publish", " publish "]),
        }
    }

    fn paths(violations: &Violations) -> Vec<&str> {
        violations.iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn reports_all_violations_at_once() {
        let user = validate(&ann()).expect("valid");
        assert_eq!(user.permissions, [Permission::Publish].into_iter().collect());
        let none = UserDraft { permissions: Property::Absent, ..ann() };
        assert_eq!(validate(&none).expect("valid").permissions, Permissions::default());
        let wrong =
            UserDraft { email: "ann".into(), permissions: permissions(&["publish", "all"]) };
        assert_eq!(paths(&validate(&wrong).expect_err("wrong")), ["email", "permissions.1"]);
        for wrong in [Property::not_an_array(), permissions(&["publish"; 101])] {
            let wrong = UserDraft { permissions: wrong, ..UserDraft::default() };
            assert_eq!(paths(&validate(&wrong).expect_err("wrong")), ["email", "permissions"]);
        }
    }

    #[test]
    fn a_change_keeps_absent_members() {
        let before = validate(&ann()).expect("valid");
        assert_eq!(UserDraft::default().apply(&before).as_ref(), Ok(&before));
        let emptied = UserDraft { permissions: permissions(&[]), ..UserDraft::default() };
        let after = emptied.apply(&before).expect("valid");
        assert_eq!(
            (after.email, after.permissions),
            (before.email.clone(), Permissions::default())
        );
        let wrong = UserDraft { email: Property::Null, permissions: Property::not_an_array() };
        assert_eq!(paths(&wrong.apply(&before).expect_err("wrong")), ["email", "permissions"]);
    }
}
