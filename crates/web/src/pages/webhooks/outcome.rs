//! The outcome of an attempt, and how long it took, as pages show them.

use std::time::Duration;

use contact_hub_domain::webhooks::{AttemptOutcome, ErrorClass};

/// An outcome.
pub(super) struct ShownOutcome {
    /// The HTTP status, or why there was none.
    pub(super) text: String,
    /// The kind of badge.
    pub(super) tone: &'static str,
}

impl From<AttemptOutcome> for ShownOutcome {
    fn from(outcome: AttemptOutcome) -> Self {
        let text = match outcome {
            AttemptOutcome::Answered(status) => status.to_string(),
            AttemptOutcome::Failed(class) => in_words(class).to_owned(),
        };
        Self { text, tone: if outcome.is_success() { "good" } else { "bad" } }
    }
}

const fn in_words(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Dns => "Name not found",
        ErrorClass::BlockedAddress => "Address not allowed",
        ErrorClass::Connect => "No connection",
        ErrorClass::Tls => "No trusted encryption",
        ErrorClass::Timeout => "No answer in time",
        ErrorClass::Http => "Answer broken off or not HTTP",
        ErrorClass::TooLarge => "Answer too large",
        ErrorClass::Internal => "Error of the service",
    }
}

/// A duration, such as `142 ms` or `12.3 s`.
pub(super) fn took(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis < 1000 {
        format!("{millis} ms")
    } else {
        format!("{}.{} s", millis / 1000, millis % 1000 / 100)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::took;

    #[test]
    fn a_long_duration_is_in_seconds() {
        for (millis, text) in [(0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (15_070, "15.0 s")] {
            assert_eq!(took(Duration::from_millis(millis)), text);
        }
    }
}
