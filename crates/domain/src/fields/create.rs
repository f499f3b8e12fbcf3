//! Create a field.

use super::{CreateFieldOutcome, Field, FieldName, FieldType, FieldsError, MAX_FIELDS};
use crate::context::{ContactPorts, Context};
use crate::ids::FieldId;
use crate::limits::exceeded;
use crate::property::Property;
use crate::rules::{required, valid};
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
}

impl FieldDraft {
    fn validate(&self) -> Result<(FieldName, FieldType), Violations> {
        valid(self, (), |()| self.name.value().zip(self.r#type.value()))
    }
}

/// Creates a field with the key that is derived from its name.
///
/// Rejected when the name or type is invalid, when the company has a field with that key, and when it has as many
/// fields as [`Limits`](crate::limits::Limits) and [`MAX_FIELDS`] allow.
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
    };
    let max = cx.ports.environment.limits.fields.min(MAX_FIELDS);
    match cx
        .ports
        .fields
        .create(cx.author(), field.clone(), max, cx.ports.environment.clock.now())
        .await?
    {
        CreateFieldOutcome::Created => Ok(field),
        CreateFieldOutcome::KeyTaken(holder) => Err(FieldsError::AlreadyExists(Box::new(holder))),
        CreateFieldOutcome::Full => {
            Err(FieldsError::Invalid(exceeded("name", "a company", max, "field")))
        }
    }
}
