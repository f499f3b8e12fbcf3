//! Time-ordered ids.

use contact_hub_domain::ports::Ids;
use uuid::Uuid;

/// UUID version 7 with the counter of RFC 9562, section 6.2, so that the ids of one process are also ordered within a
/// millisecond.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    #[expect(clippy::disallowed_methods, reason = "this adapter is where ids come from")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}
