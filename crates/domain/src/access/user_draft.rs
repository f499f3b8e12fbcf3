//! The input for a new user or a change, and its validation.

use super::{Permissions, User};
use crate::email::Email;
use crate::ids::{CompanyId, UserId};
use crate::input::{Input, InputList};
use crate::time::Timestamp;
use crate::violations::Violations;

/// The maximum number of permissions in one request, including repetitions.
pub const MAX_GIVEN_PERMISSIONS: usize = 100;

const EMAIL: &str = "email";

/// The input for a new user or a change.
#[derive(Clone, Debug, Default)]
pub struct UserDraft {
    /// The address; required.
    pub email: Input,
    /// The names of the permissions; duplicates count once.
    pub permissions: InputList<Input>,
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
        let mut violations = Violations::default();
        let email = violations.collect(EMAIL, self.email.required::<Email>());
        let permissions = self.permissions(&mut violations).unwrap_or_default();
        match email {
            Some(email) if violations.is_empty() => {
                Ok(User { id, company_id, email, permissions, created_at })
            }
            _ => Err(violations),
        }
    }

    /// The user after a change. Absent members stay. All violations are returned at once.
    pub fn apply(&self, before: &User) -> Result<User, Violations> {
        let mut violations = Violations::default();
        let mut changed = before.clone();
        if self.email != Input::Absent {
            let email = violations.collect(EMAIL, self.email.required());
            changed.email = email.unwrap_or(changed.email);
        }
        changed.permissions = self.permissions(&mut violations).unwrap_or(changed.permissions);
        violations.into_result().map(|()| changed)
    }

    fn permissions(&self, violations: &mut Violations) -> Option<Permissions> {
        let input = self.permissions.each("permissions", MAX_GIVEN_PERMISSIONS, violations)?;
        Some(input.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::UserDraft;
    use crate::access::{Permission, Permissions, User};
    use crate::ids::{CompanyId, UserId};
    use crate::input::{Input, InputList};
    use crate::time::Timestamp;
    use crate::violations::Violations;

    fn permissions(words: &[&str]) -> InputList<Input> {
        InputList::Items(words.iter().map(|word| Input::from(*word)).collect())
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
    fn judges_everything_at_once() {
        let user = validate(&ann()).expect("valid");
        assert_eq!(user.permissions, [Permission::Publish].into_iter().collect());
        let none = UserDraft { permissions: InputList::Absent, ..ann() };
        assert_eq!(validate(&none).expect("valid").permissions, Permissions::default());
        let wrong =
            UserDraft { email: "ann".into(), permissions: permissions(&["publish", "all"]) };
        assert_eq!(paths(&validate(&wrong).expect_err("wrong")), ["email", "permissions.1"]);
        for wrong in [InputList::NotAnArray, permissions(&["publish"; 101])] {
            let wrong = UserDraft { permissions: wrong, ..UserDraft::default() };
            assert_eq!(paths(&validate(&wrong).expect_err("wrong")), ["email", "permissions"]);
        }
    }

    #[test]
    fn a_change_keeps_what_is_absent() {
        let before = validate(&ann()).expect("valid");
        assert_eq!(UserDraft::default().apply(&before).as_ref(), Ok(&before));
        let emptied = UserDraft { permissions: permissions(&[]), ..UserDraft::default() };
        let after = emptied.apply(&before).expect("valid");
        assert_eq!(
            (after.email, after.permissions),
            (before.email.clone(), Permissions::default())
        );
        let wrong = UserDraft { email: Input::Null, permissions: InputList::NotAnArray };
        assert_eq!(paths(&wrong.apply(&before).expect_err("wrong")), ["email", "permissions"]);
    }
}
