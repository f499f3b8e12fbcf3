//! Classifies the result of an attempt.

use std::error::Error;
use std::io;
use std::time::Duration;

use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::ErrorClass;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::resolver::ResolveError;

/// The class of an attempt without an answer, derived from the error and its causes.
pub(crate) fn class_of(error: &reqwest::Error) -> ErrorClass {
    if error.is_builder() {
        return ErrorClass::Internal;
    }
    let resolve = causes(error).find_map(|cause| cause.downcast_ref::<ResolveError>());
    match resolve {
        Some(ResolveError::Blocked) => return ErrorClass::BlockedAddress,
        Some(ResolveError::Failed(_) | ResolveError::Nothing) => return ErrorClass::Dns,
        None => {}
    }
    if error.is_connect() {
        return if causes(error).any(is_of_tls) { ErrorClass::Tls } else { ErrorClass::Connect };
    }
    let http = causes(error).find_map(|cause| cause.downcast_ref::<hyper::Error>());
    if http.is_some_and(hyper::Error::is_parse_too_large) {
        return ErrorClass::TooLarge;
    }
    ErrorClass::Http
}

/// An error and its causes, the outermost first.
fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let first: &'a (dyn Error + 'static) = error;
    std::iter::successors(Some(first), |cause: &&'a (dyn Error + 'static)| (*cause).source())
}

/// Whether it is a TLS error. The TLS connector wraps any error of its handshake in another one; errors of the
/// connection below are not wrapped.
fn is_of_tls(cause: &(dyn Error + 'static)) -> bool {
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.and_then(|inner| inner.downcast_ref::<io::Error>()).is_some()
}

/// The pause that the receiver asks for (RFC 9110, section 10.2.3): in seconds, or until a date. Other values and
/// past dates are ignored.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that does not fit is a very long time; the domain limits it.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let since_epoch = date.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now = Duration::from_micros(u64::try_from(now.micros()).ok()?);
    since_epoch.checked_sub(now).filter(|pause| !pause.is_zero())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use contact_hub_domain::time::Timestamp;
    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::retry_after;

    #[test]
    fn both_forms_of_retry_after_are_parsed() {
        // 2026-11-21T00:00:00Z
        let now = Timestamp::from_micros(1_795_219_200_000_000).expect("in range");
        for (text, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sat, 21 Nov 2026 00:01:00 GMT", Some(60)),
            ("Saturday, 21-Nov-26 00:00:30 GMT", Some(30)),
            ("Sat Nov 21 00:00:09 2026", Some(9)),
            ("Sat, 21 Nov 2026 00:00:00 GMT", None),
            ("Fri, 20 Nov 2026 00:00:00 GMT", None),
            ("Thu, 01 Jan 1960 00:00:00 GMT", None),
            ("-5", None),
            ("1.5", None),
            ("soon", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(text));
            assert_eq!(retry_after(&headers, now), seconds.map(Duration::from_secs), "{text}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
