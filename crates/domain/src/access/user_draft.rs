//! What a request gives for a user, and the judgement on it: a whole one, or a change to one.

use super::{Permissions, User};
use crate::contacts::Email;
use crate::given::{Given, GivenList};
use crate::ids::{CompanyId, UserId};
use crate::time::Timestamp;
use crate::violations::Violations;

/// The most permissions that one request gives, repetitions included.
pub const MAX_GIVEN_PERMISSIONS: usize = 100;

const EMAIL: &str = "email";

/// A user, or a change to one, as a request gave it.
#[derive(Clone, Debug, Default)]
pub struct UserDraft {
    /// The address; required.
    pub email: Given,
    /// The permissions by name; one given twice counts once.
    pub permissions: GivenList<Given>,
}

impl UserDraft {
    /// Judges a new user, who without permissions may do nothing yet: either a valid one or every violation.
    pub fn judge(
        &self,
        id: UserId,
        company_id: CompanyId,
        created_at: Timestamp,
    ) -> Result<User, Violations> {
        let mut violations = Violations::default();
        let email = violations.keep(EMAIL, self.email.required::<Email>());
        let permissions = self.permissions(&mut violations).unwrap_or_default();
        match email {
            Some(email) if violations.is_empty() => {
                Ok(User { id, company_id, email, permissions, created_at })
            }
            _ => Err(violations),
        }
    }

    /// The user after a change, in which what is absent stays. Either a valid one or every violation.
    pub fn apply(&self, before: &User) -> Result<User, Violations> {
        let mut violations = Violations::default();
        let mut changed = before.clone();
        if self.email != Given::Absent {
            let email = violations.keep(EMAIL, self.email.required());
            changed.email = email.unwrap_or(changed.email);
        }
        changed.permissions = self.permissions(&mut violations).unwrap_or(changed.permissions);
        violations.into_result().map(|()| changed)
    }

    fn permissions(&self, violations: &mut Violations) -> Option<Permissions> {
        let given = self.permissions.each("permissions", MAX_GIVEN_PERMISSIONS, violations)?;
        Some(given.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::UserDraft;
    use crate::access::{Permission, Permissions, User};
    use crate::given::{Given, GivenList};
    use crate::ids::{CompanyId, UserId};
    use crate::time::Timestamp;
    use crate::violations::Violations;

    fn permissions(words: &[&str]) -> GivenList<Given> {
        GivenList::Items(words.iter().map(|word| Given::from(*word)).collect())
    }

    fn judge(draft: &UserDraft) -> Result<User, Violations> {
        let (id, company) = (UserId::new(Uuid::nil()), CompanyId::new(Uuid::nil()));
        draft.judge(id, company, Timestamp::MIN)
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
    fn judges_everything_at_once() {
        let user = judge(&ann()).expect("valid");
        assert_eq!(user.permissions, [Permission::Publish].into_iter().collect());
        let none = UserDraft { permissions: GivenList::Absent, ..ann() };
        assert_eq!(judge(&none).expect("valid").permissions, Permissions::default());
        let wrong =
            UserDraft { email: "ann".into(), permissions: permissions(&["publish", "all"]) };
        assert_eq!(paths(&judge(&wrong).expect_err("wrong")), ["email", "permissions.1"]);
        for wrong in [GivenList::NotAnArray, permissions(&["publish"; 101])] {
            let wrong = UserDraft { permissions: wrong, ..UserDraft::default() };
            assert_eq!(paths(&judge(&wrong).expect_err("wrong")), ["email", "permissions"]);
        }
    }

    #[test]
    fn a_change_keeps_what_is_absent() {
        let before = judge(&ann()).expect("valid");
        assert_eq!(UserDraft::default().apply(&before).as_ref(), Ok(&before));
        let emptied = UserDraft { permissions: permissions(&[]), ..UserDraft::default() };
        let after = emptied.apply(&before).expect("valid");
        assert_eq!(
            (after.email, after.permissions),
            (before.email.clone(), Permissions::default())
        );
        let wrong = UserDraft { email: Given::Null, permissions: GivenList::NotAnArray };
        assert_eq!(paths(&wrong.apply(&before).expect_err("wrong")), ["email", "permissions"]);
    }
}
