//! One attempt at a delivery.

use std::time::Duration;

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::{Headers, Trigger};
use crate::ids::AttemptId;
use crate::time::Timestamp;

/// The maximum number of bytes of an answer that are stored.
pub const MAX_ANSWER: usize = 16 * 1024;

/// Why an attempt got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ErrorClass {
    /// The name has no address, or could not be looked up.
    Dns,
    /// The name has an address that is not permitted.
    BlockedAddress,
    /// The connection failed.
    Connect,
    /// TLS failed: the certificate was invalid, or the connection could not be encrypted.
    Tls,
    /// The deadline passed.
    Timeout,
    /// The connection broke, or the answer was not HTTP.
    Http,
    /// The head of the answer was too large.
    TooLarge,
    /// The service itself failed, for example because a secret could not be opened.
    Internal,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The receiver answered with this status.
    Answered(u16),
    /// There was no answer.
    Failed(ErrorClass),
}

impl AttemptOutcome {
    /// Whether the receiver accepted the event.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Answered(200..=299))
    }
}

/// The beginning of an answer's body, as text that every store can keep. It is untrusted text: it may be shown, but
/// never rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer(String);

impl Answer {
    /// Takes the first [`MAX_ANSWER`] bytes; invalid UTF-8 and NUL become U+FFFD.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let kept = bytes.get(..MAX_ANSWER).unwrap_or(bytes);
        Self(String::from_utf8_lossy(kept).replace('\0', "\u{fffd}"))
    }

    /// Restores a text from a store, without validation.
    #[must_use]
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptResult {
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// The outcome of it.
    pub outcome: AttemptOutcome,
    /// How long the receiver asked to wait.
    pub retry_after: Option<Duration>,
    /// The beginning of the answer.
    pub answer: Option<Answer>,
    /// The headers that were sent.
    pub request_headers: Headers,
    /// The headers of the answer.
    pub answer_headers: Headers,
}

impl AttemptResult {
    /// When it ended.
    #[must_use]
    pub fn ended_at(&self) -> Timestamp {
        self.started_at.plus(self.duration)
    }
}

/// An attempt at a delivery. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The service's id.
    pub id: AttemptId,
    /// Its number among the delivery's attempts, from 1.
    pub number: u32,
    /// Its trigger.
    pub trigger: Trigger,
    /// The outcome of it.
    pub result: AttemptResult,
}

#[cfg(test)]
mod tests {
    use super::{Answer, AttemptOutcome, ErrorClass, MAX_ANSWER};

    #[test]
    fn only_2xx_is_a_success() {
        for (status, is_success) in
            [(199, false), (200, true), (204, true), (299, true), (301, false)]
        {
            assert_eq!(AttemptOutcome::Answered(status).is_success(), is_success, "{status}");
        }
        for class in ErrorClass::ALL {
            assert!(!AttemptOutcome::Failed(class).is_success());
        }
    }

    #[test]
    fn an_answer_is_stored_as_bounded_text() {
        assert_eq!(Answer::from_bytes(b"a\0\xff\xc3\xa4").as_str(), "a\u{fffd}\u{fffd}ä");
        assert_eq!(Answer::from_bytes(&vec![b'x'; MAX_ANSWER + 1]).as_str().len(), MAX_ANSWER);
    }
}
