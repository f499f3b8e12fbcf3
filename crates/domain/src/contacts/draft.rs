//! The input for a contact, and its validation.

use super::{AvatarUrl, PersonName};
use crate::email::Email;
use crate::fields::{Directory, FieldValuesDraft, ValueChanges};
use crate::input::{Input, optional, required};
use crate::violations::Violations;

/// The input for a contact, also in a row of a bulk.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct ContactDraft {
    /// Required.
    #[garde(custom(required::<Email>))]
    pub email: Input,
    /// Required.
    #[garde(custom(required::<PersonName>))]
    pub first_name: Input,
    /// Required.
    #[garde(custom(required::<PersonName>))]
    pub last_name: Input,
    /// Optional.
    #[garde(custom(optional::<AvatarUrl>))]
    pub avatar_url: Input,
    /// Optional; validated against the company's fields.
    #[garde(skip)]
    pub field_values: FieldValuesDraft,
}

/// A contact's attributes and values, all valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactInput {
    /// The address.
    pub email: Email,
    /// First name.
    pub first_name: PersonName,
    /// Last name.
    pub last_name: PersonName,
    /// `None` when the request does not have it, `Some(None)` when it is null.
    pub avatar_url: Option<Option<AvatarUrl>>,
    /// The values to set and to clear.
    pub values: ValueChanges,
}

impl ContactDraft {
    /// Validates the input. All violations are returned at once.
    pub fn validate(&self, directory: &Directory) -> Result<ContactInput, Violations> {
        let mut violations = Violations::default();
        if let Err(report) = garde::Validate::validate(self) {
            violations.add_report(&report);
        }
        let values = self.field_values.validate(directory, &mut violations);
        violations.into_result()?;
        self.parsed(values)
    }

    fn parsed(&self, values: ValueChanges) -> Result<ContactInput, Violations> {
        let refused = |path: &'static str| move |problem| Violations::one(path, problem);
        let avatar_url = self.avatar_url.optional().map_err(refused("avatar_url"))?;
        Ok(ContactInput {
            email: self.email.required().map_err(refused("email"))?,
            first_name: self.first_name.required().map_err(refused("first_name"))?,
            last_name: self.last_name.required().map_err(refused("last_name"))?,
            avatar_url: (self.avatar_url != Input::Absent).then_some(avatar_url),
            values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ContactDraft;
    use crate::fields::{Directory, FieldValuesDraft};
    use crate::input::Input;

    #[test]
    fn tells_every_violation_at_once() {
        let draft = ContactDraft {
            email: "nobody".into(),
            first_name: Input::Number("1".into()),
            last_name: "  ".into(),
            avatar_url: Input::Composite,
            field_values: FieldValuesDraft::Entries(vec![("x".into(), Input::Null)]),
        };
        let violations = draft.validate(&Directory::default()).expect_err("invalid");
        let told: Vec<_> = violations
            .iter()
            .map(|(path, messages)| format!("{path} {}", messages.join("; ")))
            .collect();
        assert_eq!(
            told,
            [
                "avatar_url must be a string",
                "email must be a valid email address",
                "first_name must be a string",
                "last_name is required",
                "field_values.x is not a known field",
            ]
        );
    }

    #[test]
    fn tells_an_absent_avatar_from_a_null_one() {
        let mut draft = ContactDraft {
            email: "a@b.co".into(),
            first_name: "A".into(),
            last_name: "B".into(),
            ..ContactDraft::default()
        };
        assert_eq!(draft.validate(&Directory::default()).expect("valid").avatar_url, None);
        draft.avatar_url = Input::Null;
        assert_eq!(draft.validate(&Directory::default()).expect("valid").avatar_url, Some(None));
    }
}
