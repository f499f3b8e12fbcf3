//! The domain's transitions of deliveries as texts of SQL.

use contact_hub_domain::webhooks::DeliveryState;

/// The states that a transition changes, as a list.
pub(super) fn those(transition: impl Fn(DeliveryState) -> Option<DeliveryState>) -> String {
    let changed = DeliveryState::ALL.into_iter().filter(|state| transition(*state).is_some());
    changed.map(|state| format!("'{}'", state.as_str())).collect::<Vec<_>>().join(", ")
}

/// The state after a transition, as an expression.
pub(super) fn after(transition: impl Fn(DeliveryState) -> Option<DeliveryState>) -> String {
    let cases = DeliveryState::ALL.into_iter().filter_map(|state| {
        let after = transition(state)?;
        Some(format!(" WHEN '{}' THEN '{}'", state.as_str(), after.as_str()))
    });
    format!("CASE state{} ELSE state END", cases.collect::<String>())
}
