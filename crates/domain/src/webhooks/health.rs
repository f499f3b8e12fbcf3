//! The health of a webhook, and when it is switched off because of failures.

use std::time::Duration;

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::NextStep;
use crate::time::Timestamp;

/// A webhook is switched off when nothing has succeeded for this long. A warning is logged after half of it.
pub const FAILING_LIMIT: Duration = Duration::from_hours(5 * 24);

/// In that time at least this many attempts must have failed; half as many for the warning.
pub const FAILED_LIMIT: u32 = 10;

/// After this many attempts without a success a webhook counts as failing.
pub const FAILING_AFTER: u32 = 5;

/// Why a webhook is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum DisabledReason {
    /// A person switched it off.
    ByHand,
    /// The receiver answered 410.
    Gone,
    /// Nothing succeeded for too long.
    Failing,
}

impl DisabledReason {
    /// A sentence for the deliveries that are skipped because of it.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::ByHand => "The webhook is switched off.",
            Self::Gone => "The webhook was switched off because its receiver answered 410 Gone.",
            Self::Failing => {
                "The webhook was switched off because nothing had succeeded for 5 days."
            }
        }
    }
}

/// The failures of a webhook since its last success, or since it was switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Why it is off; `None` while it is on.
    pub disabled: Option<DisabledReason>,
    /// The first failed attempt.
    pub failing_since: Option<Timestamp>,
    /// How many attempts have failed.
    pub failed_attempts: u32,
    /// Whether it is about to be switched off.
    pub warning: bool,
}

/// The effect of an attempt on a webhook, for the log and for alerts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthNews {
    /// Several attempts have failed since the last success.
    Failing,
    /// It is about to be switched off.
    Warned,
    /// It was switched off.
    SwitchedOff(DisabledReason),
}

impl Health {
    /// A webhook that was just switched on, or off by hand.
    #[must_use]
    pub fn switched(on: bool) -> Self {
        Self { disabled: (!on).then_some(DisabledReason::ByHand), ..Self::default() }
    }

    /// Whether it is on.
    #[must_use]
    pub const fn is_enabled(&self) -> bool {
        self.disabled.is_none()
    }

    /// Updates the health with an attempt that began at this moment. Attempts to a webhook that is off change nothing.
    pub fn observe(&mut self, step: NextStep, at: Timestamp) -> Option<HealthNews> {
        if !self.is_enabled() {
            return None;
        }
        match step {
            NextStep::Succeeded => {
                *self = Self::default();
                None
            }
            NextStep::Gone => {
                self.fail(at);
                Some(self.switch_off(DisabledReason::Gone))
            }
            NextStep::RetryAt(_) | NextStep::Exhausted => {
                self.fail(at);
                self.validate(at)
            }
        }
    }

    fn fail(&mut self, at: Timestamp) {
        self.failing_since = Some(self.failing_since.map_or(at, |since| since.min(at)));
        self.failed_attempts = self.failed_attempts.saturating_add(1);
    }

    fn validate(&mut self, at: Timestamp) -> Option<HealthNews> {
        let fails_for = |time| self.failing_since.is_some_and(|since| since.plus(time) <= at);
        if self.failed_attempts >= FAILED_LIMIT && fails_for(FAILING_LIMIT) {
            return Some(self.switch_off(DisabledReason::Failing));
        }
        let is_half_way = self.failed_attempts >= FAILED_LIMIT / 2 && fails_for(FAILING_LIMIT / 2);
        let is_news = is_half_way && !self.warning;
        self.warning |= is_half_way;
        if is_news {
            return Some(HealthNews::Warned);
        }
        (self.failed_attempts == FAILING_AFTER).then_some(HealthNews::Failing)
    }

    const fn switch_off(&mut self, reason: DisabledReason) -> HealthNews {
        self.disabled = Some(reason);
        self.warning = false;
        HealthNews::SwitchedOff(reason)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{DisabledReason, FAILED_LIMIT, FAILING_LIMIT, Health, HealthNews};
    use crate::time::Timestamp;
    use crate::webhooks::NextStep;

    fn at(hours: u64) -> Timestamp {
        Timestamp::from_micros(0).expect("in range").plus(Duration::from_hours(hours))
    }

    fn fails(health: &mut Health, hours: u64) -> Option<HealthNews> {
        health.observe(NextStep::Exhausted, at(hours))
    }

    #[test]
    fn five_days_with_ten_failures_disable_it_after_a_warning() {
        let mut health = Health::switched(true);
        let news: Vec<_> = (0..=10).map(|n| (n * 12, fails(&mut health, n * 12))).collect();
        let shown: Vec<_> = news.iter().filter(|(_, news)| news.is_some()).collect();
        assert_eq!(
            shown,
            [
                &(48, Some(HealthNews::Failing)),
                &(60, Some(HealthNews::Warned)),
                &(120, Some(HealthNews::SwitchedOff(DisabledReason::Failing))),
            ]
        );
        assert_eq!(health.failing_since, Some(at(0)));
    }

    #[test]
    fn few_failures_or_a_short_time_do_not_disable_it() {
        let mut seldom = Health::switched(true);
        assert!(
            (0..9).all(|n| !matches!(fails(&mut seldom, n * 48), Some(HealthNews::SwitchedOff(_))))
        );
        assert!(seldom.warning && seldom.is_enabled());
        let mut often = Health::switched(true);
        let news: Vec<_> = (0..1000).filter_map(|n| fails(&mut often, n / 10 % 50)).collect();
        assert_eq!(news, [HealthNews::Failing]);
    }

    #[test]
    fn a_success_and_enabling_reset_the_health() {
        let mut health = Health::switched(true);
        for n in 0..20 {
            fails(&mut health, n * 4);
        }
        assert!(health.warning);
        assert_eq!(health.observe(NextStep::Succeeded, at(90)), None);
        assert_eq!(health, Health::switched(true));
        assert_eq!(fails(&mut health, 1000), None);
        assert_eq!(health.failing_since, Some(at(1000)));
    }

    #[test]
    fn gone_disables_at_once_and_a_disabled_webhook_stays_disabled() {
        let mut health = Health::switched(true);
        let gone = HealthNews::SwitchedOff(DisabledReason::Gone);
        assert_eq!(health.observe(NextStep::Gone, at(1)), Some(gone));
        let off = health;
        assert_eq!(health.observe(NextStep::Succeeded, at(2)), None);
        assert_eq!(fails(&mut health, 3), None);
        assert_eq!(health, off);
    }

    proptest! {
        #[test]
        fn no_webhook_is_disabled_early(hours in proptest::collection::vec(0_u64..300, 1..40)) {
            let mut health = Health::switched(true);
            for (count, hour) in (1_u32..).zip(&hours) {
                fails(&mut health, *hour);
                if health.disabled.is_some() {
                    let since = health.failing_since.expect("it failed");
                    prop_assert!(count >= FAILED_LIMIT && since.plus(FAILING_LIMIT) <= at(*hour));
                    break;
                }
            }
        }
    }
}
