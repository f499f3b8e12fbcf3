//! Delivers webhooks and alerts: a client that dials only permitted addresses, and the worker that claims, sends and records.
//!
//! # Reading order
//!
//! 1. [`Worker`] describes the life of a delivery at the top of its module.
//! 2. [`HttpSender`] makes one attempt: `request` signs it, `client` sends it, `resolver` checks the addresses,
//!    `outcome` classifies the result.
//! 3. [`Announcing`] makes the events of webhooks that follow the change feed, [`Settling`] rewrites the deliveries of
//!    webhooks that were switched off, deleted or recovered, [`Retention`] deletes old ones, [`QueueMetrics`] measures the
//!    backlog, [`Heartbeat`] reports whether the loop is running.
//! 4. [`Alerting`] sends alerts by email, through [`SmtpMailer`].
//! 5. [`HttpOidcClient`] communicates with identity providers, at the addresses that webhooks may have or the operator
//!    set.
//!
//! # Never here
//!
//! No retry rule and no SQL; both come in through the domain's ports. The client follows no redirects, stores no
//! cookies, uses no proxy and decompresses nothing: these features of reqwest are switched off in `client`, or not
//! compiled in.

mod alerts;
mod announcing;
mod client;
mod clock_steps;
mod heartbeat;
mod lanes;
mod metrics;
mod oidc;
mod outcome;
mod peer_heartbeats;
mod request;
mod resolver;
mod retention;
mod running;
mod settling;
mod signal;
mod worker;
mod worker_ports;

pub use alerts::{AlertOptions, AlertPorts, Alerting, SmtpError, SmtpMailer, SmtpOptions};
pub use announcing::Announcing;
pub use client::{ClientLimits, HttpSender, SenderError, operator_client};
pub use heartbeat::Heartbeat;
pub use metrics::QueueMetrics;
pub use oidc::HttpOidcClient;
pub use resolver::{Lookup, SystemLookup};
pub use retention::Retention;
pub use settling::Settling;
pub use signal::WorkerSignal;
pub use worker::Worker;
pub use worker_ports::{WorkerOptions, WorkerPorts};
