//! The domain's transitions of deliveries as texts of SQL.

use contact_hub_domain::webhooks::DeliveryState;

use crate::statement::{Statement, joined, sql};

/// The states that a transition changes, as a list.
pub(super) fn those(transition: impl Fn(DeliveryState) -> Option<DeliveryState>) -> Statement {
    let changed = DeliveryState::ALL.into_iter().filter(|state| transition(*state).is_some());
    joined(changed.map(|state| sql!("'{}'", state.as_str())), ", ")
}

/// The state after a transition, as an expression.
pub(super) fn after(transition: impl Fn(DeliveryState) -> Option<DeliveryState>) -> Statement {
    let cases = DeliveryState::ALL.into_iter().filter_map(|state| {
        let after = transition(state)?;
        Some(sql!(" WHEN '{}' THEN '{}'", state.as_str(), after.as_str()))
    });
    sql!("CASE state{} ELSE state END", joined(cases, ""))
}
