//! Confirms the password before something is created that outlives the session.

use std::net::IpAddr;

use super::set_password::check_current;
use super::{AccessError, PresentPassword, Session, SessionHolder};
use crate::context::AccessPorts;
use crate::property::Property;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// For this many seconds after signing in no confirmation is needed.
pub const FRESH_SECONDS: i64 = 10 * 60;

impl Session {
    /// Whether it began recently.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now < self.created_at.plus_seconds(FRESH_SECONDS)
    }
}

/// Succeeds if the user signed in recently or enters the current password. Wrong guesses count as attempts to sign in.
/// A user without a password has to sign in again.
pub async fn confirm(
    ports: &AccessPorts,
    holder: &SessionHolder,
    current: &Property<PresentPassword>,
    address: IpAddr,
) -> Result<(), AccessError> {
    if holder.session.is_fresh(ports.environment.clock.now()) {
        return Ok(());
    }
    let Some(hash) = ports.sessions.password_of(holder.session.user_id).await? else {
        let problem = Problem::new("is not set: sign in again with a one-time link");
        return Err(Violations::one("current", problem).into());
    };
    check_current(ports, holder, current, hash, address).await
}
