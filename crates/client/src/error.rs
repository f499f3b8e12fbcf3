//! What can go wrong. No error contains the API key or the secret of a webhook.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Deserialize;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The call cannot be made like this.
    #[error("{0}")]
    Settings(&'static str),
    /// The HTTP client cannot be created.
    #[error("the HTTP client cannot be created")]
    Http(#[source] reqwest::Error),
    /// The body cannot be written as JSON.
    #[error("the body cannot be written as JSON")]
    Body(#[source] serde_json::Error),
    /// The service could not be reached, or its answer broke off.
    #[error("the service cannot be reached")]
    Unreachable(#[source] reqwest::Error),
    /// An export ended within a line. A proxy may hide that the answer broke off.
    #[error("the answer broke off")]
    BrokenOff,
    /// An attempt took longer than the time-out.
    #[error("the service did not answer in time")]
    Timeout,
    /// The answer is longer than the limit.
    #[error("the answer is too long")]
    TooLong,
    /// The answer is not the JSON of the interface. A proxy may have written it.
    #[error("the answer is not the JSON that was expected")]
    Unreadable(#[source] serde_json::Error),
    /// The service answered with an error.
    #[error(transparent)]
    Answer(Box<AnswerError>),
}

/// An error that the service answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerError {
    /// The HTTP status.
    pub status: u16,
    /// The code to branch on. `None` for validation errors (422) and for the rate limit (429).
    pub code: Option<String>,
    /// The reason, for people.
    pub message: String,
    /// With status 422: the messages by the dotted path of the field.
    pub invalid: BTreeMap<String, Vec<String>>,
    /// The id of the request in the logs of the service.
    pub request_id: Option<String>,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
}

impl Error {
    /// The service's answer, if there was one.
    #[must_use]
    pub fn answer(&self) -> Option<&AnswerError> {
        match self {
            Self::Answer(answer) => Some(answer),
            _ => None,
        }
    }

    /// Whether the same call may succeed later.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable(error) => !error.is_builder(),
            Self::BrokenOff | Self::Timeout => true,
            Self::Answer(answer) => answer.is_temporary(),
            _ => false,
        }
    }
}

impl From<reqwest::Error> for Error {
    /// The address is left out: its query may contain an email address.
    fn from(error: reqwest::Error) -> Self {
        Self::Unreachable(error.without_url())
    }
}

/// The three envelopes of errors.
#[derive(Default, Deserialize)]
struct Envelope {
    error: Option<Application>,
    #[serde(default)]
    errors: Vec<Invalid>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct Application {
    code: String,
    message: String,
}

#[derive(Deserialize)]
struct Invalid {
    details: Option<String>,
    #[serde(default)]
    meta: BTreeMap<String, Vec<String>>,
}

impl AnswerError {
    /// Reads an answer, whichever envelope it has.
    pub(crate) fn read(
        status: u16,
        request_id: Option<String>,
        retry_after: Option<Duration>,
        body: &[u8],
    ) -> Self {
        let Envelope { error, errors, message } = serde_json::from_slice(body).unwrap_or_default();
        let (code, reason) = error.map(|it| (it.code, it.message)).unzip();
        let (details, invalid) =
            errors.into_iter().next().map(|it| (it.details, it.meta)).unwrap_or_default();
        let message = reason.or(details).or(message);
        let message = message.unwrap_or_else(|| "the answer gives no reason".to_owned());
        Self { status, code, message, invalid, request_id, retry_after }
    }

    fn is_temporary(&self) -> bool {
        matches!(self.status, 408 | 429 | 500 | 502 | 503 | 504)
            || self.code.as_deref() == Some("IDEMPOTENCY_KEY_IN_USE")
    }
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.status)?;
        if let Some(code) = &self.code {
            write!(f, "{code} ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for AnswerError {}

#[cfg(test)]
mod tests {
    use super::{AnswerError, Error};

    fn read(status: u16, body: &str) -> AnswerError {
        AnswerError::read(status, None, None, body.as_bytes())
    }

    #[test]
    fn each_envelope_is_parsed_to_its_reason() {
        let application = read(404, r#"{"error": {"code": "NOT_FOUND", "message": "Not here."}}"#);
        assert_eq!(application.to_string(), "404 NOT_FOUND Not here.");
        let body = r#"{"errors": [{"details": "email: x", "meta": {"email": ["x", "y"]}}]}"#;
        let invalid = read(422, body);
        assert_eq!((invalid.code.clone(), invalid.message.as_str()), (None, "email: x"));
        assert_eq!(invalid.invalid["email"], ["x", "y"]);
        assert_eq!(read(429, r#"{"message": "Too many calls."}"#).message, "Too many calls.");
        assert_eq!(read(502, "<html>").to_string(), "502 the answer gives no reason");
    }

    #[test]
    fn only_temporary_failures_are_retried() {
        let is_temporary =
            |status, body| Error::Answer(Box::new(read(status, body))).is_temporary();
        assert!([408, 429, 500, 502, 503, 504].iter().all(|status| is_temporary(*status, "")));
        assert!(![400, 401, 404, 409, 422, 501].iter().any(|status| is_temporary(*status, "")));
        let in_use = r#"{"error": {"code": "IDEMPOTENCY_KEY_IN_USE", "message": "Wait."}}"#;
        assert!(is_temporary(409, in_use));
        assert!(!Error::TooLong.is_temporary() && Error::Timeout.is_temporary());
    }
}
