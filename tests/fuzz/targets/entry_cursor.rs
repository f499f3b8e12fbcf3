//! A cursor of the change feed or the audit that is accepted is written out as the same text, and any query of them is
//! validated without a panic.

#![no_main]

use contact_hub_domain::audit::{AuditCursor, AuditQuery};
use contact_hub_domain::changes::{ChangesQuery, MAX_CHANGES, Position};
use contact_hub_domain::page::MAX_PAGE_SIZE;
use contact_hub_web::FromQuery as _;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(position) = Position::parse(text) {
        assert_eq!(position.to_string(), text);
    }
    if let Some(cursor) = AuditCursor::parse(text) {
        assert_eq!(cursor.to_string(), text);
    }
    if let Ok(query) = ChangesQuery::from_query(text) {
        assert!((1..=MAX_CHANGES).contains(&query.size));
    }
    if let Ok(query) = AuditQuery::from_query(text) {
        assert!((1..=MAX_PAGE_SIZE).contains(&query.size));
    }
});
