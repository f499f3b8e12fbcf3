//! The input for a change of one contact, and its validation.

use std::ops::RangeInclusive;

use super::draft::ContactDraft;
use super::{AvatarUrl, PersonName};
use crate::email::Email;
use crate::fields::{Directory, FieldValuesDraft, ValueChanges};
use crate::property::Property;
use crate::rules::{count, optional, unless_absent, valid_beside};
use crate::violations::{Problem, Violations};

/// The maximum number of values of one change by a call.
pub const MAX_CHANGED_VALUES: usize = 20;

/// How many values a change may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedValues {
    /// As many as the form that it comes from shows.
    OfForm,
    /// 1 to [`MAX_CHANGED_VALUES`], if it has any.
    OfCall,
}

impl ChangedValues {
    const fn range(self) -> RangeInclusive<usize> {
        match self {
            Self::OfForm => 0..=usize::MAX,
            Self::OfCall => 1..=MAX_CHANGED_VALUES,
        }
    }
}

/// The input for a change. Absent members are left unchanged.
#[derive(Clone, Debug, Default, garde::Validate)]
#[garde(context(ChangedValues as values))]
pub struct ChangeDraft {
    /// Cannot be cleared.
    #[garde(custom(unless_absent))]
    pub email: Property<Email>,
    /// Cannot be cleared.
    #[garde(custom(unless_absent))]
    pub first_name: Property<PersonName>,
    /// Cannot be cleared.
    #[garde(custom(unless_absent))]
    pub last_name: Property<PersonName>,
    /// Null clears it.
    #[garde(custom(optional))]
    pub avatar_url: Property<AvatarUrl>,
    /// Merged into the contact's values; a null value is removed. Validated against the company's fields.
    #[garde(custom(unless_absent), custom(bounded(*values)))]
    pub field_values: FieldValuesDraft,
}

/// The changed attributes and values, all valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactChange {
    /// The address; `None` keeps it.
    pub email: Option<Email>,
    /// First name; `None` keeps it.
    pub first_name: Option<PersonName>,
    /// Last name; `None` keeps it.
    pub last_name: Option<PersonName>,
    /// Picture; `None` keeps it, `Some(None)` clears it.
    pub avatar_url: Option<Option<AvatarUrl>>,
    /// The values to set and to clear.
    pub values: ValueChanges,
}

impl ChangeDraft {
    /// Validates the input. All violations are returned at once.
    pub fn validate(
        &self,
        directory: &Directory,
        values: ChangedValues,
    ) -> Result<ContactChange, Violations> {
        if self.is_empty() {
            let sentence =
                "must have at least one of email, first_name, last_name, avatar_url, field_values";
            return Err(Violations::one("body", Problem::new(sentence)));
        }
        // Too many values are rejected as a whole.
        let has_few = values.range().contains(&self.field_values.keys().count());
        let (changes, refused) =
            if has_few { self.field_values.read(directory) } else { Default::default() };
        valid_beside(self, values, refused, |_values| {
            Some(ContactChange {
                email: self.email.value(),
                first_name: self.first_name.value(),
                last_name: self.last_name.value(),
                avatar_url: (!self.avatar_url.is_absent()).then(|| self.avatar_url.value()),
                values: changes,
            })
        })
    }

    const fn is_empty(&self) -> bool {
        self.email.is_absent()
            && self.first_name.is_absent()
            && self.last_name.is_absent()
            && self.avatar_url.is_absent()
            && self.field_values.is_absent()
    }
}

fn bounded<T, C>(values: ChangedValues) -> impl Fn(&Property<Vec<T>>, &C) -> garde::Result {
    count(*values.range().start(), *values.range().end(), "entries")
}

/// A form changes the whole contact, so that what cannot be cleared must be in it.
impl From<ContactDraft> for ChangeDraft {
    fn from(draft: ContactDraft) -> Self {
        Self {
            email: draft.email.or_null(),
            first_name: draft.first_name.or_null(),
            last_name: draft.last_name.or_null(),
            avatar_url: draft.avatar_url,
            field_values: draft.field_values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeDraft, ChangedValues, ContactChange};
    use crate::fields::Directory;
    use crate::input::Input;
    use crate::property::Property;

    fn refused(draft: &ChangeDraft) -> Vec<String> {
        let changed = draft.validate(&Directory::default(), ChangedValues::OfCall);
        let violations = changed.expect_err("invalid");
        violations.iter().map(|(path, found)| format!("{path} {}", found.join("; "))).collect()
    }

    #[test]
    fn absent_attributes_are_kept_and_only_the_avatar_can_be_cleared() {
        let picture = ChangeDraft { avatar_url: Property::Null, ..ChangeDraft::default() };
        let change = picture.validate(&Directory::default(), ChangedValues::OfCall);
        let cleared = ContactChange { avatar_url: Some(None), ..ContactChange::default() };
        assert_eq!(change, Ok(cleared));
        let nulls = ChangeDraft {
            email: Property::Null,
            first_name: Property::Null,
            last_name: " ".into(),
            avatar_url: Property::Absent,
            field_values: Property::Null,
        };
        let paths = ["email", "last_name", "first_name", "field_values"];
        let mut expected = paths.map(|path| format!("{path} is required"));
        expected.sort();
        let mut found = refused(&nulls);
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_call_must_change_something_and_not_too_many_values() {
        let nothing = refused(&ChangeDraft::default());
        assert!(nothing[0].starts_with("body must have at least one of email"), "{nothing:?}");
        let none = ChangeDraft { field_values: [].into_iter().collect(), ..ChangeDraft::default() };
        assert_eq!(refused(&none), ["field_values must have 1 to 20 entries"]);
        let values = (0..21).map(|n| (format!("k{n}"), Input::Null));
        let many = ChangeDraft { field_values: values.collect(), ..ChangeDraft::default() };
        assert_eq!(refused(&many), ["field_values must have 1 to 20 entries"]);
        let form = none.validate(&Directory::default(), ChangedValues::OfForm);
        assert_eq!(form, Ok(ContactChange::default()));
    }
}
