//! The states of a delivery and their transitions, except those by an attempt, which [`settle()`](super::settle())
//! decides.
//!
//! | State | released | resent | recovered |
//! |---|---|---|---|
//! | pending, retrying | – | pending | – |
//! | in progress | retrying after a retry, else pending | – | – |
//! | exhausted, skipped | – | pending | pending |
//! | succeeded, cancelled | – | pending | – |
//!
//! When a webhook is switched off, its open deliveries become skipped. An open delivery that became obsolete is
//! cancelled. If a person resends or recovers an obsolete delivery, it is attempted once, without retries.
//!
//! Each transition returns the new state, or `None` if the delivery does not change. A store derives the conditions of
//! its statements from them, so that each rule is written once.

use strum::{EnumCount, IntoStaticStr, VariantArray};

/// The state of a delivery. The first three are open: the worker will still act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// Not yet attempted.
    Pending,
    /// An attempt is running.
    InProgress,
    /// Failed, and to be attempted again.
    Retrying,
    /// Accepted by the receiver.
    Succeeded,
    /// Failed for the last time.
    Exhausted,
    /// Given up because it became obsolete.
    Cancelled,
    /// Not attempted because its webhook is off.
    Skipped,
}

impl DeliveryState {
    /// Whether the worker will still act.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress | Self::Retrying)
    }

    /// The state after a worker returned a claimed delivery.
    #[must_use]
    pub fn released(self, has_retries: bool) -> Option<Self> {
        let waits = if has_retries { Self::Retrying } else { Self::Pending };
        matches!(self, Self::InProgress).then_some(waits)
    }

    /// The state after a person resent it. A delivery in progress stays in progress, and [`settle()`](super::settle())
    /// decides when the attempt ends.
    #[must_use]
    pub fn resent(self) -> Option<Self> {
        (!matches!(self, Self::InProgress)).then_some(Self::Pending)
    }

    /// The state after a person recovered the webhook's failed deliveries.
    #[must_use]
    pub fn recovered(self) -> Option<Self> {
        matches!(self, Self::Exhausted | Self::Skipped).then_some(Self::Pending)
    }
}

#[cfg(test)]
mod tests {
    use super::DeliveryState::{
        self, Cancelled, Exhausted, InProgress, Pending, Retrying, Skipped, Succeeded,
    };

    #[test]
    fn three_states_are_open() {
        let open = DeliveryState::ALL.into_iter().filter(|state| state.is_open());
        assert!(open.eq([Pending, InProgress, Retrying]));
    }

    #[test]
    fn every_transition_follows_the_table() {
        let (pending, none) = (Some(Pending), None);
        for (state, released, resent, recovered) in [
            (Pending, none, pending, none),
            (Retrying, none, pending, none),
            (InProgress, pending, none, none),
            (Exhausted, none, pending, pending),
            (Skipped, none, pending, pending),
            (Succeeded, none, pending, none),
            (Cancelled, none, pending, none),
        ] {
            assert_eq!(state.released(false), released, "{state:?}");
            assert_eq!(state.released(true), released.map(|_| Retrying), "{state:?}");
            assert_eq!(state.resent(), resent, "{state:?}");
            assert_eq!(state.recovered(), recovered, "{state:?}");
        }
    }
}
