//! When a call is tried again.

use std::time::{Duration, SystemTime};

use backon::ExponentialBuilder;

use crate::Error;

/// The limits of retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often a call is tried in total.
    pub attempts: usize,
    /// The shortest first pause. Each further pause is twice as long, and up to as much again is added at random, so that
    /// many clients do not retry at the same time.
    pub first_pause: Duration,
    /// The limit up to which pauses grow. An answer that asks for a longer one is an error at once.
    pub longest_pause: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(30),
        }
    }
}

impl Retries {
    /// Every call is tried once.
    #[must_use]
    pub fn never() -> Self {
        Self { attempts: 1, ..Self::default() }
    }

    /// The pauses of one call.
    pub(crate) fn pauses(&self) -> ExponentialBuilder {
        ExponentialBuilder::new()
            .with_min_delay(self.first_pause.min(self.longest_pause))
            .with_max_delay(self.longest_pause)
            .with_max_times(self.attempts.saturating_sub(1))
            .with_jitter()
    }

    /// The pause after an error, never shorter than the answer asks for. `None` when the call is not tried again.
    pub(crate) fn after(&self, error: &Error, pause: Option<Duration>) -> Option<Duration> {
        let asked = error.answer().and_then(|answer| answer.retry_after).unwrap_or_default();
        let pause = pause.filter(|_| error.is_temporary() && asked <= self.longest_pause)?;
        Some(pause.saturating_add(asked))
    }
}

/// The pause that `Retry-After` asks for, in seconds or as a date.
pub(crate) fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use backon::BackoffBuilder as _;

    use super::{Retries, retry_after};
    use crate::{AnswerError, Error};

    const SECOND: Duration = Duration::from_secs(1);

    fn busy(asked: Option<Duration>) -> Error {
        Error::Answer(Box::new(AnswerError::read(503, None, asked, b"")))
    }

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let retries = Retries { attempts: 5, longest_pause: SECOND, ..Retries::default() };
        let pauses: Vec<_> = retries.pauses().build().collect();
        let least = [250, 500, 1000, 1000].map(Duration::from_millis);
        assert_eq!(pauses.len(), least.len());
        for (pause, least) in pauses.into_iter().zip(least) {
            assert!(least <= pause && pause <= least * 2, "{pause:?}");
        }
        assert_eq!(Retries::never().pauses().build().count(), 0);
    }

    #[test]
    fn a_pause_is_never_shorter_than_the_answer_asks_for() {
        let retries = Retries::default();
        assert_eq!(retries.after(&busy(None), Some(SECOND)), Some(SECOND));
        assert_eq!(retries.after(&busy(Some(SECOND * 7)), Some(SECOND)), Some(SECOND * 8));
        assert_eq!(retries.after(&busy(Some(SECOND * 31)), Some(SECOND)), None);
        assert_eq!(retries.after(&busy(None), None), None);
        assert_eq!(retries.after(&Error::TooLong, Some(SECOND)), None);
    }

    #[test]
    fn both_forms_of_retry_after_are_parsed() {
        let now = SystemTime::UNIX_EPOCH + SECOND * 784_111_770;
        for (text, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("99999999999999999999", Some(u64::MAX)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(retry_after(text, now), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
