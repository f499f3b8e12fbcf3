//! Changes of any number of deliveries at constant cost.
//!
//! Switching a webhook off, deleting it and recovering what failed write one row, a settlement, which counts at once:
//! lists and reads apply it to the rows that it concerns ([`settlement`]), numbers come from counts that are kept
//! ([`counts`]), and claims take only what belongs to the webhook's present generation. The rows are rewritten in batches
//! ([`batch`]), and the settlement is deleted after the last one. A later change of the same webhook changes what an
//! unfinished settlement makes of its rows.

mod batch;
mod close;
mod counts;
mod erase;
mod recover;
mod settlement;

pub(super) use batch::settle;
pub(super) use close::{close_deleted, close_switched_off};
pub(super) use counts::{Total, totals};
pub(super) use erase::begin as begin_erasure;
pub(super) use recover::recover;
pub(super) use settlement::{Concerned, Settlement, is_moved, is_moved_to, leave, of_company};
