//! Deliveries on their way: a client that dials only what it may, and the worker that claims, sends and records.
//!
//! # Reading order
//!
//! 1. [`Worker`] has the story of a delivery at the top of its loop.
//! 2. [`HttpSender`] makes one attempt: `request` signs it, `client` sends it, `resolver` vets the addresses,
//!    `outcome` names what came of it.
//! 3. [`Settling`] rewrites what a webhook that was switched off, deleted or recovered left to do, [`Sweep`] deletes what
//!    is old, [`Meters`] tells the metrics what waits, [`Pulse`] whether the loop still turns.
//!
//! # Never here
//!
//! No rule of when to retry and no SQL; both come in through the domain's ports. No redirect is followed, no cookie
//! kept, no proxy asked, nothing decompressed: the client has no code for any of it.

mod client;
mod life;
mod meters;
mod outcome;
mod pulse;
mod request;
mod resolver;
mod running;
mod settling;
mod signal;
mod sweep;
mod tls;
mod worker;

pub use client::{ClientLimits, HttpSender, SenderError};
pub use meters::Meters;
pub use pulse::Pulse;
pub use resolver::{Lookup, SystemLookup};
pub use settling::Settling;
pub use signal::WorkerSignal;
pub use sweep::Sweep;
pub use worker::{Worker, WorkerOptions, WorkerPorts};
