//! Asking who is signed in once more, before something is made that outlives the session.

use std::net::IpAddr;

use super::set_password::check_current;
use super::{AccessError, PresentPassword, Session, SessionHolder};
use crate::context::Ports;
use crate::property::Property;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// For how many seconds after signing in nothing is asked again.
pub const FRESH_SECONDS: i64 = 10 * 60;

impl Session {
    /// Whether it began a moment ago.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now < self.created_at.plus_seconds(FRESH_SECONDS)
    }
}

/// Lets those pass who signed in a moment ago or type their present password again. Wrong guesses count as attempts to
/// sign in. Without a password, one has to sign in again.
pub async fn confirm(
    ports: &Ports,
    holder: &SessionHolder,
    current: &Property<PresentPassword>,
    address: IpAddr,
) -> Result<(), AccessError> {
    if holder.session.is_fresh(ports.clock.now()) {
        return Ok(());
    }
    let Some(hash) = ports.sessions.password_of(holder.session.user_id).await? else {
        let problem = Problem::new("is not set: sign in again with a one-time link");
        return Err(Violations::one("current", problem).into());
    };
    check_current(ports, holder, current, hash, address).await
}
