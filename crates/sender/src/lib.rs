//! Deliveries on their way: a client that dials only what it may, and the worker that claims, sends and records.
//!
//! # Reading order
//!
//! 1. [`Worker`] has the story of a delivery at the top of its loop.
//! 2. [`HttpSender`] makes one attempt: `request` signs it, `client` sends it, `resolver` vets the addresses,
//!    `outcome` names what came of it.
//! 3. [`Settling`] rewrites what a webhook that was switched off, deleted or recovered left to do, [`Retention`] deletes what
//!    is old, [`QueueMetrics`] tells the metrics what waits, [`Heartbeat`] whether the loop still turns.
//!
//! # Never here
//!
//! No rule of when to retry and no SQL; both come in through the domain's ports. No redirect is followed, no cookie
//! kept, no proxy asked, nothing decompressed: the client has no code for any of it.

mod client;
mod heartbeat;
mod life;
mod metrics;
mod outcome;
mod request;
mod resolver;
mod retention;
mod running;
mod settling;
mod signal;
mod tls;
mod worker;

pub use client::{ClientLimits, HttpSender, SenderError};
pub use heartbeat::Heartbeat;
pub use metrics::QueueMetrics;
pub use resolver::{Lookup, SystemLookup};
pub use retention::Retention;
pub use settling::Settling;
pub use signal::WorkerSignal;
pub use worker::{Worker, WorkerOptions, WorkerPorts};
