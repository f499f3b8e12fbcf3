//! The other side of a sync, as a sample: what an integrator's own service does with the webhook `syncRequested`.
//!
//! # Reading order
//!
//! 1. `server` takes the webhook: it verifies the signature ([`verify`]), keeps the event on disk, and answers 202. The
//!    service waits for no more than that.
//! 2. `platform` does the work afterwards: it fetches the content, writes it to a folder, which stands for the real
//!    platform, and reports the result.
//! 3. `folder` is what makes it safe to be told twice, or to be stopped in between: an event is done once.
//!
//! # Never here
//!
//! Nothing of the service: this crate uses none of the workspace, and knows the interface as any integrator does, from
//! `docs/integrating.md`. No clock either; the program around it says what time it is.

mod caller;
mod event;
mod folder;
mod platform;
mod server;
mod signature;
mod step;

pub use caller::{Answer, CallError, Caller};
pub use event::SyncRequested;
pub use hyper::Method;
pub use platform::Options;
pub use server::{Bound, Receiver, ReceiverError};
pub use signature::{Forged, TOLERANCE, verify};
pub use step::{Received, Step};
