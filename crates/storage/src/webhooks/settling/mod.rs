//! Changes of any number of deliveries at constant cost.
//!
//! Switching a webhook off, deleting it and recovering its failed deliveries each write one row, a settlement, which
//! takes effect at once. Lists and reads apply it to the rows that it covers ([`settlement`]), totals come from
//! stored counts ([`counts`]), and claims take only deliveries of the webhook's current generation. The rows are
//! rewritten in batches ([`batch`]), and the settlement is deleted after the last one. A later change of the same
//! webhook also changes the target state of an unfinished settlement.

mod appended_counts;
mod batch;
mod close;
mod counts;
mod erase;
mod recover;
mod settlement;

pub(crate) use appended_counts::delivery_counts;
pub(super) use appended_counts::or_has_count_changes;
pub(super) use batch::settle;
pub(super) use close::{SwitchedOff, close_deleted, close_switched_off};
pub(super) use counts::{Total, totals};
pub(super) use erase::begin as begin_erasure;
pub(super) use recover::recover;
pub(super) use settlement::{Scope, Settlement, is_moved, is_moved_to, leave, of_company};
