//! Change a user.

use super::{AccessError, ChangeUserOutcome, User, UserDraft};
use crate::context::{AccessPorts, Context};
use crate::ids::UserId;

/// Changes a user. Absent members are left unchanged. Callers cannot remove their own permission to manage access. An
/// unknown user is reported before anything that is wrong with the change.
pub async fn change_user(
    cx: &Context<'_, AccessPorts>,
    id: UserId,
    change: UserDraft,
) -> Result<User, AccessError> {
    let now = cx.ports.environment.clock.now();
    match cx.ports.access.change_user(cx.author(), id, change, now).await? {
        ChangeUserOutcome::Changed(user) => Ok(user),
        ChangeUserOutcome::NotFound => Err(AccessError::UserNotFound),
        ChangeUserOutcome::Refused(violations) => Err(AccessError::Invalid(violations)),
        ChangeUserOutcome::EmailTaken => Err(AccessError::UserAlreadyExists),
        ChangeUserOutcome::OwnAccess => Err(AccessError::OwnAccess),
        ChangeUserOutcome::Denied => Err(AccessError::Denied),
    }
}

/// The effect of a change, decided on the locked caller and user. A store may still find that the email is taken.
#[must_use]
pub fn decide_user_change(
    caller: Option<&User>,
    user: Option<&User>,
    change: &UserDraft,
) -> ChangeUserOutcome {
    let Some(caller) = caller.filter(|caller| caller.manages_access()) else {
        return ChangeUserOutcome::Denied;
    };
    let Some(before) = user else {
        return ChangeUserOutcome::NotFound;
    };
    match change.apply(before) {
        Err(violations) => ChangeUserOutcome::Refused(violations),
        Ok(after) if after.id == caller.id && !after.manages_access() => {
            ChangeUserOutcome::OwnAccess
        }
        Ok(after) => ChangeUserOutcome::Changed(after),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::decide_user_change;
    use crate::access::{ChangeUserOutcome, Permission, User, UserDraft};
    use crate::email::Email;
    use crate::ids::{CompanyId, UserId};
    use crate::property::Property;
    use crate::time::Timestamp;

    fn user(id: u128, permissions: &[Permission]) -> User {
        User {
            id: UserId::new(Uuid::from_u128(id)),
            company_id: CompanyId::new(Uuid::nil()),
            email: Email::from_stored(format!("user{id}@example.com")),
            permissions: permissions.iter().copied().collect(),
            created_at: Timestamp::MIN,
        }
    }

    fn may(words: &[&str]) -> UserDraft {
        let permissions = words.iter().map(|word| Property::from(*word)).collect();
        UserDraft { permissions, ..UserDraft::default() }
    }

    #[test]
    fn changing_users_requires_manage_access_and_cannot_remove_it_from_oneself() {
        let manager = user(1, &[Permission::ManageAccess, Permission::Publish]);
        let other = user(2, &[Permission::Publish]);
        let decide = decide_user_change;
        for caller in [None, Some(&other)] {
            assert_eq!(decide(caller, Some(&other), &may(&[])), ChangeUserOutcome::Denied);
        }
        assert_eq!(decide(Some(&manager), None, &may(&[])), ChangeUserOutcome::NotFound);
        let own = |change: &UserDraft| decide(Some(&manager), Some(&manager), change);
        assert_eq!(own(&may(&["publish"])), ChangeUserOutcome::OwnAccess);
        let kept = user(1, &[Permission::ManageAccess]);
        assert_eq!(own(&may(&["manage_access"])), ChangeUserOutcome::Changed(kept));
        let taken = decide(Some(&manager), Some(&other), &may(&[]));
        assert_eq!(taken, ChangeUserOutcome::Changed(user(2, &[])));
        assert!(matches!(own(&may(&["all"])), ChangeUserOutcome::Refused(_)));
    }
}
