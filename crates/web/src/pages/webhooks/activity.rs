//! How attempts at a webhook went, as pages show it.

use contact_hub_domain::webhooks::activity::{DailyActivity, LastAttempt};

use super::outcome::ShownOutcome;
use crate::pages::charts::{Series, Sparkline, Tone, grouped};
use crate::pages::moment::Moment;

/// The attempts of the last 24 hours, and the last attempt.
pub(super) struct ShownActivity {
    /// The share that succeeded, such as `99.9 %`; `None` without attempts.
    pub(super) rate: Option<String>,
    /// How many there were, in a sentence.
    pub(super) counts: String,
    /// The same hour by hour.
    pub(super) chart: Sparkline,
    /// The last attempt.
    pub(super) last: Option<(ShownOutcome, Moment)>,
}

impl From<DailyActivity> for ShownActivity {
    fn from(day: DailyActivity) -> Self {
        let sum = |count: fn(&(u64, u64)) -> u64| day.hours.iter().map(count).sum::<u64>();
        let (succeeded, failed) = (sum(|hour| hour.0), sum(|hour| hour.1));
        let series = [
            Series {
                label: "Succeeded",
                tone: Tone::Good,
                values: day.hours.iter().map(|hour| hour.0).collect(),
            },
            Series {
                label: "Failed",
                tone: Tone::Bad,
                values: day.hours.iter().map(|hour| hour.1).collect(),
            },
        ];
        let counts = counts(succeeded, failed);
        Self {
            rate: rate(succeeded, failed),
            chart: Sparkline::new(format!("Last 24 hours: {counts}"), day.hours.len(), &series),
            counts,
            last: day.last.map(|LastAttempt { at, outcome }| (outcome.into(), at.into())),
        }
    }
}

fn counts(succeeded: u64, failed: u64) -> String {
    let attempts = succeeded.saturating_add(failed);
    match attempts {
        0 => "No attempts, apart from tests".to_owned(),
        1 => format!("1 attempt, {failed} failed"),
        _ => format!("{} attempts, {} failed", grouped(attempts), grouped(failed)),
    }
}

/// The share that succeeded in percent, rounded down, so that 100 % means all of them; `None` without attempts.
fn rate(succeeded: u64, failed: u64) -> Option<String> {
    let all = u128::from(succeeded) + u128::from(failed);
    let tenths = (u128::from(succeeded) * 1000).checked_div(all)?;
    Some(match tenths {
        0 if succeeded > 0 => "< 0.1 %".to_owned(),
        _ if tenths.is_multiple_of(10) => format!("{} %", tenths / 10),
        _ => format!("{}.{} %", tenths / 10, tenths % 10),
    })
}

#[cfg(test)]
mod tests {
    use super::{counts, rate};

    #[test]
    fn only_complete_success_is_100_percent() {
        for (succeeded, failed, text) in [
            (0, 3, "0 %"),
            (1, 9_999, "< 0.1 %"),
            (1, 2, "33.3 %"),
            (1, 1, "50 %"),
            (999_999, 1, "99.9 %"),
            (u64::MAX, 0, "100 %"),
        ] {
            assert_eq!(rate(succeeded, failed).as_deref(), Some(text));
        }
        assert_eq!(rate(0, 0), None);
    }

    #[test]
    fn counts_are_described_in_a_sentence() {
        assert_eq!(counts(0, 0), "No attempts, apart from tests");
        assert_eq!(counts(0, 1), "1 attempt, 1 failed");
        assert_eq!(counts(1_200, 34), "1,234 attempts, 34 failed");
    }
}
