//! Writes that are left for later, so that a client's transaction neither waits for others nor writes many pages.
//!
//! What is left is committed with the transaction, and reads take account of it, so every answer is exact. A background
//! task does it in short batches. The amount is bounded: when a company has much of this work, one of its writers at a
//! time does some first, and when it has too much, all of them do.

mod upkeep;
mod work;

pub use upkeep::DeferredWrites;
