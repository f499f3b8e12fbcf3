//! Change a field.

use super::{Field, FieldLabel, FieldLimits, FieldsError, Filterable};
use crate::context::{ContactPorts, Context};
use crate::ids::FieldId;
use crate::limits::exceeded;
use crate::property::Property;
use crate::rules::{unless_absent, valid};

/// The input for a change of a field. Absent properties are left unchanged.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct FieldChangeDraft {
    /// The display name.
    #[garde(custom(unless_absent))]
    pub name: Property<FieldLabel>,
    /// Whether it takes no new values.
    #[garde(custom(unless_absent))]
    pub archived: Property<bool>,
    /// Whether contacts can be filtered and sorted by it.
    #[garde(custom(unless_absent))]
    pub filterable: Property<bool>,
}

/// The changed properties of a field; `None` keeps the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldChange {
    /// The display name.
    pub name: Option<FieldLabel>,
    /// Whether it takes no new values.
    pub archived: Option<bool>,
    /// Whether contacts can be filtered and sorted by it.
    pub filterable: Option<bool>,
}

/// The outcome of changing a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeFieldOutcome {
    /// The field as it is now.
    Changed(Field),
    /// The company has no such field.
    NotFound,
    /// The field stays archived, because the directory has the maximum number of other fields.
    Full,
    /// The company has the maximum number of filterable fields.
    TooManyFilterable,
}

impl FieldChange {
    /// The effect on one of a company's fields. A field that becomes filterable is [`Filterable::Building`] first.
    #[must_use]
    pub fn decide(&self, fields: &[Field], id: FieldId, limits: FieldLimits) -> ChangeFieldOutcome {
        let Some(before) = fields.iter().find(|field| field.id == id) else {
            return ChangeFieldOutcome::NotFound;
        };
        let mut after = before.clone();
        if let Some(name) = &self.name {
            name.as_str().clone_into(&mut after.name);
        }
        after.archived = self.archived.unwrap_or(before.archived);
        let in_use = fields.iter().filter(|field| !field.archived).count();
        if before.archived && !after.archived && in_use >= limits.in_use {
            return ChangeFieldOutcome::Full;
        }
        match (self.filterable, before.filterable) {
            (Some(true), Filterable::No) => after.filterable = Filterable::Building,
            (Some(false), _) => after.filterable = Filterable::No,
            _ => {}
        }
        let filterable = fields.iter().filter(|field| field.filterable != Filterable::No).count();
        let becomes = before.filterable == Filterable::No && after.filterable != Filterable::No;
        if becomes && filterable >= limits.filterable {
            return ChangeFieldOutcome::TooManyFilterable;
        }
        ChangeFieldOutcome::Changed(after)
    }
}

/// Changes a field. Its key and type never change.
///
/// Rejected when the company has no such field, and when it would have more fields in use or more filterable ones than
/// [`Limits`](crate::limits::Limits) allow.
pub async fn change(
    cx: &Context<'_, ContactPorts>,
    id: FieldId,
    draft: &FieldChangeDraft,
) -> Result<Field, FieldsError> {
    let take = |()| {
        let (archived, filterable) = (draft.archived.value(), draft.filterable.value());
        Some(FieldChange { name: draft.name.value(), archived, filterable })
    };
    let change = valid(draft, (), take)?;
    let limits = FieldLimits::from(cx.ports.environment.limits);
    let at = cx.ports.environment.clock.now();
    match cx.ports.fields.change_field(cx.author(), id, change, limits, at).await? {
        ChangeFieldOutcome::Changed(field) => Ok(field),
        ChangeFieldOutcome::NotFound => Err(FieldsError::NotFound),
        ChangeFieldOutcome::Full => {
            Err(FieldsError::Invalid(exceeded("archived", "a company", limits.in_use, "field")))
        }
        ChangeFieldOutcome::TooManyFilterable => Err(too_many_filterable(limits)),
    }
}

pub(super) fn too_many_filterable(limits: FieldLimits) -> FieldsError {
    let max = limits.filterable;
    FieldsError::Invalid(exceeded("filterable", "a company", max, "filterable field"))
}
