//! A moment on a page: in UTC from the server, and in the visitor's zone once the script has run, in the same shape.

use std::fmt;

use contact_hub_domain::time::Timestamp;

/// How a template shows a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// For machines.
    pub(crate) iso: String,
    /// For people, in UTC.
    pub(crate) shown: String,
}

impl From<Timestamp> for Moment {
    fn from(moment: Timestamp) -> Self {
        let iso = moment.to_seconds_text();
        let minute = iso.get(..16).unwrap_or_default().replace('T', " ");
        Self { iso, shown: format!("{minute} UTC") }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}
