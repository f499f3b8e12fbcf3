//! Create a field.

use super::change::too_many_filterable;
use super::{
    CreateFieldOutcome, Field, FieldLimits, FieldName, FieldType, FieldsError, Filterable,
};
use crate::context::{ContactPorts, Context};
use crate::ids::FieldId;
use crate::limits::exceeded;
use crate::property::Property;
use crate::rules::{optional, required, valid};
use crate::violations::Violations;

/// The input for a new field.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct FieldDraft {
    /// The display name.
    #[garde(custom(required))]
    pub name: Property<FieldName>,
    /// One of the types.
    #[garde(custom(required))]
    pub r#type: Property<FieldType>,
    /// Whether contacts can be filtered and sorted by it; by default they cannot.
    #[garde(custom(optional))]
    pub filterable: Property<bool>,
}

impl FieldDraft {
    fn validate(&self) -> Result<(FieldName, FieldType), Violations> {
        valid(self, (), |()| self.name.value().zip(self.r#type.value()))
    }

    fn is_filterable(&self) -> bool {
        self.filterable.value().unwrap_or(false)
    }
}

/// Creates a field with the key that is derived from its name.
///
/// Rejected when the name or type is invalid, when the company has a field with that key, and when it has as many
/// fields, or filterable fields, as [`Limits`](crate::limits::Limits) allow.
pub async fn create(
    cx: &Context<'_, ContactPorts>,
    draft: &FieldDraft,
) -> Result<Field, FieldsError> {
    let (name, kind) = draft.validate()?;
    let company = &cx.caller.company;
    let field = Field {
        id: FieldId::new(cx.ports.environment.ids.next()),
        key: name.key().clone(),
        name: name.as_str().to_owned(),
        kind,
        directory_id: company.directory_id,
        archived: false,
        // No contact has a value yet, so there is nothing to index.
        filterable: if draft.is_filterable() { Filterable::Yes } else { Filterable::No },
    };
    let limits = FieldLimits::from(cx.ports.environment.limits);
    let at = cx.ports.environment.clock.now();
    match cx.ports.fields.create(cx.author(), field.clone(), limits, at).await? {
        CreateFieldOutcome::Created => Ok(field),
        CreateFieldOutcome::KeyTaken(holder) => Err(FieldsError::AlreadyExists(Box::new(holder))),
        CreateFieldOutcome::Full => {
            Err(FieldsError::Invalid(exceeded("name", "a company", limits.in_use, "field")))
        }
        CreateFieldOutcome::TooManyFilterable => Err(too_many_filterable(limits)),
    }
}
