//! The states of a delivery, and every way from one to another but that of an attempt, which [`settle()`](super::settle())
//! decides.
//!
//! | State | released | resent | recovered |
//! |---|---|---|---|
//! | pending, retrying | – | pending | – |
//! | in progress | retrying after a retry, else pending | – | – |
//! | exhausted, skipped | – | pending | pending |
//! | succeeded, cancelled | – | pending | – |
//!
//! A webhook that is switched off leaves what is open skipped; what became pointless while it was open is cancelled.
//!
//! Each transition returns the state after it, or `None` where it leaves the delivery as it is. A store makes the conditions
//! of its statements from them, so that each rule is written once.

/// Where a delivery stands. The first three are open: something will still happen by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryState {
    /// Not yet tried.
    Pending,
    /// Being tried right now.
    InProgress,
    /// Tried in vain, and to be tried again.
    Retrying,
    /// Taken by the receiver.
    Succeeded,
    /// Tried in vain for the last time.
    Exhausted,
    /// Given up because it became pointless.
    Cancelled,
    /// Not tried because its webhook is off.
    Skipped,
}

impl DeliveryState {
    /// Every state.
    pub const ALL: [Self; 7] = [
        Self::Pending,
        Self::InProgress,
        Self::Retrying,
        Self::Succeeded,
        Self::Exhausted,
        Self::Cancelled,
        Self::Skipped,
    ];

    /// The interface's word, under which a store keeps it too.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Retrying => "retrying",
            Self::Succeeded => "succeeded",
            Self::Exhausted => "exhausted",
            Self::Cancelled => "cancelled",
            Self::Skipped => "skipped",
        }
    }

    /// The state with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether something will still happen by itself.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress | Self::Retrying)
    }

    /// After a worker gave back what it had claimed.
    #[must_use]
    pub fn released(self, has_retries: bool) -> Option<Self> {
        let waits = if has_retries { Self::Retrying } else { Self::Pending };
        matches!(self, Self::InProgress).then_some(waits)
    }

    /// After a person resent it. One that is in progress stays so, and [`settle()`](super::settle()) decides when the attempt
    /// ends.
    #[must_use]
    pub fn resent(self) -> Option<Self> {
        (!matches!(self, Self::InProgress)).then_some(Self::Pending)
    }

    /// After a person recovered what its webhook missed.
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
    fn words_come_back() {
        for state in DeliveryState::ALL {
            assert_eq!(DeliveryState::parse(state.as_str()), Some(state));
        }
        assert_eq!(DeliveryState::parse("in progress"), None);
        assert_eq!(DeliveryState::ALL.into_iter().filter(|state| state.is_open()).count(), 3);
    }

    #[test]
    fn every_transition_is_that_of_the_table() {
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
