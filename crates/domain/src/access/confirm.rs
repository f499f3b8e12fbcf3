//! Confirms who is signed in before an action whose effect outlives the session or grants more access than it, such as
//! creating a key, a secret or a user.

use std::net::IpAddr;

use super::set_password::check_current;
use super::two_step::check_code;
use super::{AccessError, PresentPassword, Session, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::property::Property;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// No confirmation is needed for this many seconds after a sign-in or an earlier confirmation.
pub const FRESH_SECONDS: i64 = 10 * 60;

impl Session {
    /// Whether its user proved recently who they are.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now < self.confirmed_at.plus_seconds(FRESH_SECONDS)
    }
}

/// Succeeds if the user enters the current password or, if the user has none, a code of the authenticator app; the
/// session is fresh from then on. A password does not count if the company does not allow sign-in by password. Wrong
/// guesses count as attempts to sign in. A user without both has to sign in again.
pub async fn confirm(
    ports: &AccessPorts,
    holder: &SessionHolder,
    current: &Property<PresentPassword>,
    address: IpAddr,
    call: &Call,
) -> Result<Session, AccessError> {
    let hash = if holder.password_sign_in {
        ports.sessions.password_of(holder.session.user_id).await?
    } else {
        None
    };
    if let Some(hash) = hash {
        check_current(ports, holder, current, hash, address, call).await?;
    } else if holder.has_two_step {
        let typed = current.value();
        let code = typed.as_ref().map_or("", |PresentPassword(typed)| typed.reveal());
        check_code(ports, holder, code, address, call).await?;
    } else {
        let problem = Problem::new("is not set: sign in again with a one-time link");
        return Err(Violations::one("current", problem).into());
    }
    let now = ports.environment.clock.now();
    ports.sessions.confirm_session(holder.session.id, now).await?;
    Ok(Session { confirmed_at: now, ..holder.session })
}
