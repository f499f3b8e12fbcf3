//! The announced end of an operation (docs/api-promise.md).

use std::time::SystemTime;

use actix_web::http::header::HttpDate;
use time::{Date, OffsetDateTime};

/// Since when the operation is deprecated (RFC 9745).
pub(crate) const DEPRECATION: &str = "Deprecation";
/// When it may be removed (RFC 8594).
pub(crate) const SUNSET: &str = "Sunset";

/// When an operation was deprecated, and when it ends.
#[derive(Clone, Copy)]
pub(crate) struct Deprecation {
    /// The day from which it is deprecated.
    pub(crate) since: Date,
    /// The day from which it may be removed, once that is decided.
    pub(crate) sunset: Option<Date>,
    /// The page that says what to use instead.
    pub(crate) link: &'static str,
}

impl Deprecation {
    /// The headers of its answers, with their values.
    pub(crate) fn headers(self) -> impl Iterator<Item = (&'static str, String)> {
        let since = format!("@{}", beginning(self.since).unix_timestamp());
        let link = format!("<{}>; rel=\"deprecation\"", self.link);
        let sunset = self.sunset.map(|day| (SUNSET, http_date(day)));
        [(DEPRECATION, since), ("Link", link)].into_iter().chain(sunset)
    }
}

/// The first moment of a day, in UTC.
const fn beginning(day: Date) -> OffsetDateTime {
    day.midnight().assume_utc()
}

fn http_date(day: Date) -> String {
    HttpDate::from(SystemTime::from(beginning(day))).to_string()
}
