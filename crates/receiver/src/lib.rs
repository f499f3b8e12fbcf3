//! A sample receiver: an integrator's own service that handles the webhook `syncRequested`.
//!
//! # Reading order
//!
//! 1. `server` accepts the webhook: it verifies the signature ([`verify`]), stores the event on disk, and answers 202.
//!    The service waits for no more than that.
//! 2. `platform` does the work afterwards: it fetches the content, writes it to a folder, which represents the real
//!    platform, and reports the result.
//! 3. `folder` makes repeated deliveries and interruptions harmless: an event is processed once.
//!
//! # Never here
//!
//! Nothing of the service: this crate depends on no other crate of the workspace, and uses the interface as
//! `docs/integrating.md` describes it to integrators. It has no clock either; its caller passes the time.

mod caller;
mod event;
mod folder;
mod platform;
mod server;
mod signature;
mod step;

pub use caller::{Answer, CallError, Caller};
pub use event::SyncRequested;
pub use platform::Options;
pub use reqwest::Method;
pub use server::{Bound, Receiver, ReceiverError};
pub use signature::{Forged, TOLERANCE, verify};
pub use step::{Received, Step};
