//! The query of a list of fields.

use contact_hub_domain::violations::{Problem, Violations};

use crate::extract::query::{FromQuery, Query};

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
        let Some(last) = query.named("archived").last() else {
            return Ok(Self { archived: false });
        };
        match last.value().as_deref() {
            Ok("true") => Ok(Self { archived: true }),
            Ok("false") => Ok(Self { archived: false }),
            _ => Err(Violations::one(last.path(), Problem::new("must be true or false"))),
        }
    }
}
