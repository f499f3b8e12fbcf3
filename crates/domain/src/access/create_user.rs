//! Create an API user.

use garde::Validate;

use super::{AccessError, CreateUserOutcome, Permission, Permissions, User};
use crate::contacts::Email;
use crate::context::Ports;
use crate::given::{Given, required};
use crate::ids::{CompanyId, UserId};
use crate::violations::Violations;

/// What a request gave for a new user.
#[derive(Clone, Debug, Validate)]
pub struct UserDraft {
    /// The address.
    #[garde(custom(required::<Email>))]
    pub email: Given,
    /// The permissions by name; one given twice counts once.
    #[garde(inner(custom(required::<Permission>)))]
    pub permissions: Vec<Given>,
}

impl UserDraft {
    fn judge(&self) -> Result<(Email, Permissions), Violations> {
        let mut violations = Violations::default();
        if let Err(report) = self.validate() {
            violations.add_report(&report);
            return Err(violations);
        }
        let email = self.email.required().map_err(|refusal| Violations::one("email", refusal))?;
        let permissions = self.permissions.iter().map(Given::required::<Permission>);
        let permissions = permissions
            .collect::<Result<_, _>>()
            .map_err(|refusal| Violations::one("permissions", refusal))?;
        Ok((email, permissions))
    }
}

/// Creates a user of the company.
pub async fn create_user(
    ports: &Ports,
    company: CompanyId,
    draft: &UserDraft,
) -> Result<User, AccessError> {
    let (email, permissions) = draft.judge()?;
    let id = UserId::new(ports.ids.next());
    let user = User { id, company_id: company, email, permissions, created_at: ports.clock.now() };
    match ports.access.create_user(user.clone()).await? {
        CreateUserOutcome::Created => Ok(user),
        CreateUserOutcome::CompanyUnknown => Err(AccessError::CompanyNotFound),
        CreateUserOutcome::EmailTaken => Err(AccessError::UserAlreadyExists),
    }
}
