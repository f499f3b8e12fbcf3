//! The query of a list of the values of a field.

use contact_hub_domain::fields::ValuesQuery;
use contact_hub_domain::violations::Violations;

use crate::extract::query::{FromQuery, Query, no_filters, page, sorts};

impl FromQuery for ValuesQuery {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let page = page(query, &mut violations);
        no_filters(query, &mut violations);
        let key = |name: &str| (name == "value").then_some(());
        let sorts = sorts(query, 1, key, "value", &mut violations);
        let descending = sorts.first().is_some_and(|((), descending)| *descending);
        violations.into_result().map(|()| Self { page, descending })
    }
}
