//! Writes that are left for later, so that a client's transaction neither waits for others nor writes many pages.
//!
//! What is left is committed with the transaction, and reads take account of it, so every answer is exact. A background
//! task does it in short batches. It is bounded: when there is too much of a company's, its next writer first does some.

mod upkeep;
mod work;

pub use upkeep::DeferredWrites;
