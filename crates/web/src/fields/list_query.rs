//! The query of a list of fields.

use utoipa::openapi::path::Parameter;

use contact_hub_domain::violations::{Problem, Violations};

use crate::extract::query::{Described, FromQuery, Query, no_filters, no_sorts};
use crate::openapi::parameters;

/// Which fields are listed.
pub(crate) struct FieldsQuery {
    /// Whether archived ones are.
    pub(super) archived: bool,
}

impl FromQuery for FieldsQuery {
    type Error = Violations;

    /// If repeated, the last parameter counts.
    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        no_filters(query, &mut violations);
        no_sorts(query, &mut violations);
        let archived = query.named("archived").last().is_some_and(|last| {
            let archived = match last.value().as_deref() {
                Ok("true") => Ok(true),
                Ok("false") => Ok(false),
                _ => Err(Problem::new("must be true or false")),
            };
            violations.collect(&last.path(), archived).unwrap_or_default()
        });
        violations.into_result().map(|()| Self { archived })
    }
}

impl Described for FieldsQuery {
    fn parameters() -> Vec<Parameter> {
        parameters::fields()
    }
}
