//! Confirms who a person without a password is, by the provider.

use super::{OidcAttempt, OidcClaims, OidcError, OidcProvider, OidcRefusal};
use crate::access::SessionHolder;
use crate::context::AccessPorts;
use crate::ids::UserId;
use crate::time::Timestamp;

/// How many seconds the clocks of provider and service may differ.
pub(super) const SKEW_SECONDS: i64 = 60;

/// The keys and names of the providers that know the user. The user may confirm who they are by the first one.
pub async fn linked_oidc_providers(
    ports: &AccessPorts,
    user: UserId,
) -> Result<Vec<(String, String)>, OidcError> {
    let mut linked = Vec::new();
    for key in ports.oidc.store.providers_of_user(user).await? {
        match super::begin::provider_with(ports, &key).await {
            Ok(provider) => linked.push((key, provider.name)),
            Err(OidcError::UnknownProvider) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(linked)
}

/// Makes the session fresh if its user is the person who has just authenticated at the provider.
pub(super) async fn confirm(
    ports: &AccessPorts,
    provider: &OidcProvider,
    attempt: &OidcAttempt,
    claims: &OidcClaims,
    holder: Option<&SessionHolder>,
) -> Result<(), OidcError> {
    let holder = holder.filter(|holder| attempt.session == Some(holder.session.id));
    let holder = holder.ok_or(OidcError::Over)?;
    let subject = provider.subject(claims.subject.clone());
    if ports.oidc.store.user_of_subject(subject).await? != Some(holder.session.user_id) {
        return Err(OidcRefusal::OtherUser.into());
    }
    if !is_anew(claims.authenticated_at, attempt.started_at) {
        return Err(OidcRefusal::NotConfirmed.into());
    }
    let now = ports.environment.clock.now();
    Ok(ports.sessions.confirm_session(holder.session.id, now).await?)
}

/// Whether the person authenticated after being asked to.
fn is_anew(authenticated_at: Option<Timestamp>, asked_at: Timestamp) -> bool {
    authenticated_at.is_some_and(|at| at.plus_seconds(SKEW_SECONDS) >= asked_at)
}

#[cfg(test)]
mod tests {
    use super::{SKEW_SECONDS, is_anew};
    use crate::time::Timestamp;

    #[test]
    fn only_a_proof_after_the_request_counts() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000).expect("in range");
        let asked = at(1000);
        assert!(is_anew(Some(at(1005)), asked));
        assert!(is_anew(Some(at(1000 - SKEW_SECONDS)), asked));
        assert!(!is_anew(Some(at(999 - SKEW_SECONDS)), asked));
        assert!(!is_anew(None, asked));
    }
}
