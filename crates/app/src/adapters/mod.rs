//! Time, ids and chance: the only places that ask the machine for them.

mod chance;
mod clock;
mod ids;

pub use chance::SystemChance;
pub use clock::SystemClock;
pub use ids::TimeOrderedIds;
