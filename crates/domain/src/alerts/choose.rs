//! Read and change which alerts a user gets.

use super::{AlertChoices, AlertKind};
use crate::context::{AlertPorts, Context};
use crate::ports::StoreError;

/// The kinds that the caller may get, each with the caller's choice or the default. A person has a password, a
/// passkey or an identity provider to sign in with.
pub async fn choices(
    cx: &Context<'_, AlertPorts>,
    is_person: bool,
) -> Result<AlertChoices, StoreError> {
    let caller = cx.caller;
    let stored = cx.ports.alerts.choices(caller.company.id, caller.user_id).await?;
    let choice = |kind: AlertKind| {
        (kind, stored.get(&kind).copied().unwrap_or_else(|| kind.default_choice(is_person)))
    };
    Ok(offered(cx).map(choice).collect())
}

/// Stores the caller's choices. A kind that is missing is switched off, and one that the caller may not get is ignored.
pub async fn choose(cx: &Context<'_, AlertPorts>, chosen: &AlertChoices) -> Result<(), StoreError> {
    let choice = |kind: AlertKind| (kind, chosen.get(&kind).copied().unwrap_or_default());
    let choices = offered(cx).map(choice).collect();
    let now = cx.ports.environment.clock.now();
    cx.ports.alerts.choose(cx.author(), cx.caller.user_id, choices, now).await
}

/// The kinds that the caller may get.
fn offered(cx: &Context<'_, AlertPorts>) -> impl Iterator<Item = AlertKind> {
    let (permissions, product_access) = (cx.caller.permissions, cx.caller.company.product_access);
    AlertKind::ALL.into_iter().filter(move |kind| kind.may_get(permissions, product_access))
}
