//! Rejects conditions and sort keys for a list that supports none. If they were ignored, the client would mistake the
//! whole list for a filtered one.

use contact_hub_domain::sorting::SORT;
use contact_hub_domain::violations::{Problem, Violations};

use super::Query;

const FILTER: &str = "filter";

/// Every parameter below `filter` is a violation.
pub(crate) fn no_filters(query: Query<'_>, violations: &mut Violations) {
    for parameter in query.named(FILTER) {
        let problem = Problem::new("is not a field that can be filtered");
        violations.add_once(&parameter.path(), problem);
    }
}

/// Every sort key is a violation, by its place.
pub(crate) fn no_sorts(query: Query<'_>, violations: &mut Violations) {
    for (place, _) in query.named(SORT).enumerate() {
        let problem = Problem::new("is not possible: this list has a fixed order");
        violations.add_once(&format!("{SORT}.{place}"), problem);
    }
}
