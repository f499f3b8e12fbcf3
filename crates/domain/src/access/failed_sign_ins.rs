//! Failed attempts to sign in, until they are recorded in the audit. An attempt with the email of a user must not take
//! longer than one with an unknown email, so the answer does not wait for the write.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::AccessError;
use crate::audit::NewAuditEntry;
use crate::context::AccessPorts;

/// The maximum number of attempts in memory; further ones are not recorded.
const MAX: usize = 1000;

/// The attempts that are not recorded yet.
#[derive(Debug, Default)]
pub struct FailedSignIns(Mutex<Vec<NewAuditEntry>>);

impl FailedSignIns {
    /// Notes attempts.
    pub(super) fn note(&self, attempts: impl IntoIterator<Item = NewAuditEntry>) {
        let mut waiting = self.waiting();
        let room = MAX.saturating_sub(waiting.len());
        waiting.extend(attempts.into_iter().take(room));
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<NewAuditEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records the attempts noted since the last call. It is called about every second and once at shutdown.
pub async fn record_failed_sign_ins(ports: &AccessPorts) -> Result<(), AccessError> {
    let mut waiting = std::mem::take(&mut *ports.failed_sign_ins.waiting()).into_iter();
    while let Some(attempt) = waiting.next() {
        if let Err(error) = ports.audit.record_alone(attempt.clone()).await {
            ports.failed_sign_ins.note(std::iter::once(attempt).chain(waiting));
            return Err(error.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{FailedSignIns, MAX};
    use crate::audit::{AuditAction, NewAuditEntry};
    use crate::ids::CompanyId;
    use crate::time::Timestamp;

    #[test]
    fn the_number_of_waiting_attempts_is_bounded() {
        let by = CompanyId::new(Uuid::nil()).into();
        let attempt =
            NewAuditEntry::of(&by, AuditAction::SignInFailed, Uuid::nil(), Timestamp::MIN);
        let attempts = FailedSignIns::default();
        for _ in 0..3 {
            attempts.note(std::iter::repeat_n(attempt.clone(), MAX / 2 + 1));
        }
        assert_eq!(attempts.waiting().len(), MAX);
    }
}
