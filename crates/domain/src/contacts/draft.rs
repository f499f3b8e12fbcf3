//! The input for a contact, and its validation.

use super::{AvatarUrl, PersonName};
use crate::email::Email;
use crate::fields::{Directory, FieldValuesDraft, ValueChanges};
use crate::property::Property;
use crate::rules::{optional, required, valid_beside};
use crate::violations::Violations;

/// The input for a contact, also in a row of a bulk.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct ContactDraft {
    /// Required.
    #[garde(custom(required))]
    pub email: Property<Email>,
    /// Required.
    #[garde(custom(required))]
    pub first_name: Property<PersonName>,
    /// Required.
    #[garde(custom(required))]
    pub last_name: Property<PersonName>,
    /// Optional.
    #[garde(custom(optional))]
    pub avatar_url: Property<AvatarUrl>,
    /// Optional; validated against the company's fields.
    #[garde(custom(optional))]
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
        let (values, refused) = self.field_values.read(directory);
        valid_beside(self, (), refused, |()| {
            Some(ContactInput {
                email: self.email.value()?,
                first_name: self.first_name.value()?,
                last_name: self.last_name.value()?,
                avatar_url: (!self.avatar_url.is_absent()).then(|| self.avatar_url.value()),
                values,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ContactDraft;
    use crate::fields::Directory;
    use crate::input::Input;
    use crate::property::Property;

    #[test]
    fn reports_all_violations_at_once() {
        let draft = ContactDraft {
            email: "nobody".into(),
            first_name: Input::Number("1".into()).into(),
            last_name: "  ".into(),
            avatar_url: Input::Composite.into(),
            field_values: [("x".into(), Input::Null)].into_iter().collect(),
        };
        let violations = draft.validate(&Directory::default()).expect_err("invalid");
        let shown: Vec<_> = violations
            .iter()
            .map(|(path, messages)| format!("{path} {}", messages.join("; ")))
            .collect();
        assert_eq!(
            shown,
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
    fn distinguishes_an_absent_avatar_from_a_null_one() {
        let mut draft = ContactDraft {
            email: "a@b.co".into(),
            first_name: "A".into(),
            last_name: "B".into(),
            ..ContactDraft::default()
        };
        assert_eq!(draft.validate(&Directory::default()).expect("valid").avatar_url, None);
        draft.avatar_url = Property::Null;
        assert_eq!(draft.validate(&Directory::default()).expect("valid").avatar_url, Some(None));
    }
}
