//! The state of a delivery after an attempt.

use super::{CancelReason, DeliveryState, DisabledReason, NextStep, Trigger};
use crate::time::Timestamp;

/// A delivery at the end of an attempt: in progress, or closed or resent in the meantime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptedDelivery {
    /// Its state.
    pub state: DeliveryState,
    /// The number of retries since an event or a person last started it.
    pub retries: u32,
    /// The trigger of the next attempt. It differs from that of the attempt if a person resent it in the meantime.
    pub trigger: Trigger,
    /// Why it was closed in the meantime.
    pub reason: Option<String>,
    /// Why it is obsolete, if it is about a sync that is not open: [`CancelReason::of_sync()`]. Only a person can have
    /// started the attempt then, or the sync was closed during it.
    pub obsolete: Option<CancelReason>,
    /// Whether the webhook [began anew](super::Webhook::begins_anew) during the attempt, whose receiver is a former one, or
    /// a person restarted the delivery after it was closed during the attempt.
    pub is_former: bool,
}

/// An attempt that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its trigger.
    pub trigger: Trigger,
    /// The next step of the schedule.
    pub step: NextStep,
    /// When it ended.
    pub at: Timestamp,
}

/// A delivery after an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its state.
    pub state: DeliveryState,
    /// When it is attempted next.
    pub next_attempt_at: Option<Timestamp>,
    /// The number of retries, including the next one.
    pub retries: u32,
    /// The trigger of the next attempt.
    pub trigger: Trigger,
    /// Why it was given up.
    pub reason: Option<String>,
}

/// Settles a delivery after an attempt. `webhook` is the reason if the webhook is off now.
///
/// A success always makes it `succeeded`. A delivery that was closed during the attempt stays closed, and one that a
/// person resent is attempted again. An obsolete one is cancelled. A failure of a former receiver counts for nothing: the
/// delivery is attempted at once. Otherwise the schedule decides, as long as the webhook is on.
#[must_use]
pub fn settle(
    delivery: AttemptedDelivery,
    ended: Ended,
    webhook: Option<DisabledReason>,
) -> Settled {
    let AttemptedDelivery { state, retries, trigger, reason, obsolete, is_former } = delivery;
    let closed = |state, reason| Settled {
        state,
        next_attempt_at: None,
        retries,
        trigger: Trigger::Scheduled,
        reason,
    };
    let exhausted = |reason: &str| closed(DeliveryState::Exhausted, Some(reason.to_owned()));
    let obsolete = obsolete.map(|reason| reason.sentence().to_owned());
    let anew = |trigger| Settled {
        state: DeliveryState::Pending,
        next_attempt_at: Some(ended.at),
        retries: 0,
        trigger,
        reason: None,
    };
    match ended.step {
        NextStep::Succeeded => closed(DeliveryState::Succeeded, None),
        _ if !state.is_open() => closed(state, reason),
        _ if trigger.is_by_hand() && (is_former || trigger != ended.trigger) => anew(trigger),
        NextStep::Exhausted | NextStep::RetryAt(_) if obsolete.is_some() => {
            closed(DeliveryState::Cancelled, obsolete)
        }
        _ if is_former => anew(Trigger::Scheduled),
        NextStep::Gone => exhausted("The receiver answered 410 Gone."),
        NextStep::Exhausted => exhausted("Every attempt failed."),
        NextStep::RetryAt(at) => match webhook {
            Some(off) => closed(DeliveryState::Skipped, Some(off.sentence().to_owned())),
            None => Settled {
                state: DeliveryState::Retrying,
                next_attempt_at: Some(at),
                retries: retries.saturating_add(1),
                trigger: Trigger::Scheduled,
                reason: None,
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{AttemptedDelivery, Ended, Settled, settle};
    use crate::time::Timestamp;
    use crate::webhooks::{CancelReason, DeliveryState, DisabledReason, NextStep, Trigger};

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("in range")
    }

    fn settled(state: DeliveryState, trigger: Trigger, step: NextStep) -> Settled {
        let reason = (!state.is_open()).then(|| "before".to_owned());
        let ended = Ended { trigger: Trigger::Scheduled, step, at: at(5) };
        let delivery = AttemptedDelivery {
            state,
            retries: 2,
            trigger,
            reason,
            obsolete: None,
            is_former: false,
        };
        settle(delivery, ended, None)
    }

    #[test]
    fn the_schedule_decides() {
        let after = |step| settled(DeliveryState::InProgress, Trigger::Scheduled, step);
        let retrying = after(NextStep::RetryAt(at(9)));
        assert_eq!(retrying.state, DeliveryState::Retrying);
        assert_eq!((retrying.next_attempt_at, retrying.retries), (Some(at(9)), 3));
        assert_eq!(after(NextStep::Exhausted).state, DeliveryState::Exhausted);
        assert_eq!(after(NextStep::Gone).state, DeliveryState::Exhausted);
        assert_eq!(after(NextStep::Succeeded).reason, None);
    }

    #[test]
    fn a_delivery_closed_in_the_meantime_stays_closed_unless_it_succeeded() {
        for state in [DeliveryState::Cancelled, DeliveryState::Skipped] {
            let failed = settled(state, Trigger::Scheduled, NextStep::RetryAt(at(9)));
            assert_eq!((failed.state, failed.reason.as_deref()), (state, Some("before")));
            let taken = settled(state, Trigger::Scheduled, NextStep::Succeeded);
            assert_eq!(taken.state, DeliveryState::Succeeded);
        }
    }

    #[test]
    fn a_delivery_resent_in_the_meantime_is_retried() {
        for step in [NextStep::RetryAt(at(9)), NextStep::Exhausted, NextStep::Gone] {
            let again = settled(DeliveryState::InProgress, Trigger::Resend, step);
            assert_eq!((again.state, again.trigger), (DeliveryState::Pending, Trigger::Resend));
            assert_eq!((again.next_attempt_at, again.retries), (Some(at(5)), 0));
        }
        let taken = settled(DeliveryState::InProgress, Trigger::Resend, NextStep::Succeeded);
        assert_eq!(taken.state, DeliveryState::Succeeded);
    }

    #[test]
    fn a_failure_of_a_former_receiver_counts_for_nothing() {
        let delivery = AttemptedDelivery {
            state: DeliveryState::InProgress,
            retries: 5,
            trigger: Trigger::Scheduled,
            reason: None,
            obsolete: None,
            is_former: true,
        };
        let after = |delivery, step| {
            settle(delivery, Ended { trigger: Trigger::Scheduled, step, at: at(5) }, None)
        };
        for step in [NextStep::RetryAt(at(9)), NextStep::Exhausted, NextStep::Gone] {
            let again = after(delivery.clone(), step);
            assert_eq!((again.state, again.retries), (DeliveryState::Pending, 0));
            assert_eq!((again.next_attempt_at, again.trigger), (Some(at(5)), Trigger::Scheduled));
        }
        let resent = AttemptedDelivery {
            trigger: Trigger::Resend,
            obsolete: Some(CancelReason::SyncReported),
            ..delivery.clone()
        };
        let ended = Ended { trigger: Trigger::Resend, step: NextStep::Exhausted, at: at(5) };
        let again = settle(resent, ended, Some(DisabledReason::ByHand));
        assert_eq!((again.state, again.trigger), (DeliveryState::Pending, Trigger::Resend));
        let skipped = AttemptedDelivery { state: DeliveryState::Skipped, ..delivery.clone() };
        assert_eq!(after(skipped, NextStep::Gone).state, DeliveryState::Skipped);
        assert_eq!(after(delivery, NextStep::Succeeded).state, DeliveryState::Succeeded);
    }

    #[test]
    fn deliveries_of_a_disabled_webhook_are_not_retried() {
        let delivery = AttemptedDelivery {
            state: DeliveryState::InProgress,
            retries: 0,
            trigger: Trigger::Resend,
            reason: None,
            obsolete: None,
            is_former: false,
        };
        let step = NextStep::RetryAt(at(9));
        let ended = Ended { trigger: Trigger::Resend, step, at: at(5) };
        let skipped = settle(delivery, ended, Some(DisabledReason::Gone));
        assert_eq!(skipped.state, DeliveryState::Skipped);
        assert!(skipped.reason.is_some_and(|reason| reason.contains("410")));
    }

    #[test]
    fn an_obsolete_delivery_is_attempted_as_often_as_a_person_resends_it() {
        let delivery = |trigger| AttemptedDelivery {
            state: DeliveryState::InProgress,
            retries: 0,
            trigger,
            reason: None,
            obsolete: Some(CancelReason::SyncReported),
            is_former: false,
        };
        let after = |trigger, step| {
            let ended = Ended { trigger: Trigger::Scheduled, step, at: at(5) };
            settle(delivery(trigger), ended, None)
        };
        for step in [NextStep::RetryAt(at(9)), NextStep::Exhausted] {
            let cancelled = after(Trigger::Scheduled, step);
            assert_eq!(
                (cancelled.state, cancelled.next_attempt_at),
                (DeliveryState::Cancelled, None)
            );
            assert_eq!(cancelled.reason.as_deref(), Some("The sync was reported."));
            assert_eq!(after(Trigger::Resend, step).state, DeliveryState::Pending);
        }
        let step = NextStep::Succeeded;
        assert_eq!(after(Trigger::Scheduled, step).state, DeliveryState::Succeeded);
        assert_eq!(after(Trigger::Scheduled, NextStep::Gone).state, DeliveryState::Exhausted);
    }
}
