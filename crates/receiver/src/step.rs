//! The steps of a receiver, for display.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use actix_web::http::header::HeaderMap;

use crate::event::SyncRequested;
use crate::signature::Forged;

/// A verified webhook.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body as received.
    pub body: String,
    /// Its event.
    pub event: SyncRequested,
}

/// A step. Its text is one line for people.
#[derive(Clone, Debug)]
pub enum Step {
    /// A call was rejected with 401.
    Refused(Forged),
    /// A verified call could not be read or stored; it gets this status.
    Unusable(u16, String),
    /// A test webhook.
    Tested,
    /// An event of an unknown kind.
    Ignored(String),
    /// A sync is requested.
    Received(Box<Received>),
    /// An event that is already stored.
    Again(String),
    /// An event that was stored before the receiver was last stopped.
    Resumed(String),
    /// The content is fetched.
    Fetched {
        /// The asset's name.
        name: String,
        /// How many bytes of HTML it has.
        html: usize,
        /// The beginning of its HTML.
        beginning: String,
    },
    /// The content is written.
    Written(PathBuf),
    /// The service accepted a report.
    Reported {
        /// The status that was reported.
        status: String,
        /// The entry's address, or the error's message.
        with: String,
    },
    /// The service rejected the report for good.
    ReportRefused(String),
    /// A call failed and will be retried.
    Retrying {
        /// Why it failed.
        why: String,
        /// The pause before the retry.
        after: Duration,
    },
    /// The event stays on disk for the next start.
    Left {
        /// The event's id.
        id: String,
        /// What stopped it.
        why: String,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "refused a webhook with 401: {why}"),
            Self::Unusable(status, why) => write!(f, "answered a webhook with {status}: {why}"),
            Self::Tested => f.write_str("verified a test webhook, answered 202"),
            Self::Ignored(kind) => {
                write!(f, "verified a webhook of the kind {kind:?}, which is not for this receiver")
            }
            Self::Received(received) => {
                let SyncRequested { asset_name, id, platform, .. } = &received.event;
                write!(
                    f,
                    "verified a webhook: a sync of {asset_name:?} to {platform} is requested (event {id}); answered 202"
                )
            }
            Self::Again(id) => {
                write!(f, "event {id} is known already; answered 202, nothing to do")
            }
            Self::Resumed(id) => write!(f, "event {id} is resumed after a restart"),
            Self::Fetched { name, html, .. } => {
                write!(f, "fetched the content of {name:?}, {html} bytes of HTML")
            }
            Self::Written(folder) => write!(f, "wrote it to {}", folder.display()),
            Self::Reported { status, with } => write!(f, "reported {status}: {with}"),
            Self::ReportRefused(why) => write!(f, "the service rejected the report: {why}"),
            Self::Retrying { why, after } => {
                write!(f, "{why}; retrying in {} ms", after.as_millis())
            }
            Self::Left { id, why } => write!(f, "event {id} waits for the next start: {why}"),
        }
    }
}
