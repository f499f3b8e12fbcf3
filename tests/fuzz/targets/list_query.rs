//! Any query is validated without a panic, and the number of conditions and sorts stays bounded.

#![no_main]

use contact_hub_domain::contacts::{ListQuery, MAX_CONDITIONS, MAX_SORTS};
use contact_hub_domain::fields::ValuesQuery;
use contact_hub_web::FromQuery as _;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|query: &str| {
    if let Ok(parsed) = ListQuery::from_query(query) {
        assert!(parsed.conditions.len() <= MAX_CONDITIONS);
        assert!(parsed.sorts.keys().len() <= MAX_SORTS);
    }
    let _values = ValuesQuery::from_query(query);
});
