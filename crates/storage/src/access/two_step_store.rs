//! The port of two-step verification.

use async_trait::async_trait;

use contact_hub_domain::access::{
    Completion, NewTwoStep, Proof, TokenHash, TwoStepState, TwoStepStore,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::{Author, Call};
use contact_hub_domain::ids::{UserId, WebhookSecretId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::Sealed;

use super::audit::{append_of_user, author_for};
use super::lock::lock_user;
use super::{passkeys, sessions, two_step};
use crate::Storage;
use crate::audit;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

#[async_trait]
impl TwoStepStore for Storage {
    async fn code_secret(
        &self,
        user: UserId,
    ) -> Result<Option<(WebhookSecretId, Sealed)>, StoreError> {
        self.read(Reading::Few, move |connection| two_step::secret(connection, user)).await
    }

    async fn two_step_state(&self, user: UserId) -> Result<Option<TwoStepState>, StoreError> {
        self.read(Reading::Few, move |connection| two_step::state(connection, user)).await
    }

    async fn turn_on_two_step(
        &self,
        new: NewTwoStep,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            let is_there = lock_user(connection, None, new.user)?;
            if !is_there || !two_step::insert(connection, &new, at)? {
                return Ok(Recorded::unchanged(false));
            }
            let what = (AuditAction::TwoStepOn, new.user.uuid());
            Ok(Recorded::by(append_of_user(connection, new.user, &call, what, at)?, true))
        })
        .await
    }

    async fn renew_recovery_codes(
        &self,
        user: UserId,
        codes: Vec<TokenHash>,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            if !lock_user(connection, None, user)? || two_step::secret(connection, user)?.is_none()
            {
                return Ok(Recorded::unchanged(false));
            }
            two_step::replace_codes(connection, user, &codes)?;
            let what = (AuditAction::RecoveryCodesRenewed, user.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &call, what, at)?, true))
        })
        .await
    }

    async fn use_step(&self, user: UserId, step: i64) -> Result<bool, StoreError> {
        let unit = move |connection: &mut _| two_step::use_up(connection, user, Proof::Step(step));
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn complete(&self, completion: Completion) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            let Completion { session, user, proof, .. } = completion;
            let is_there = lock_user(connection, None, user)?;
            if !is_there || !two_step::use_up(connection, user, proof)? {
                return Ok(Recorded::unchanged(false));
            }
            let (token, at) = (completion.token, completion.at);
            // The proof stays used up when the session has ended. The user can sign in again with the next one.
            if !sessions::open(connection, user, session, token, at)? {
                return Ok(Recorded::unchanged(false));
            }
            let action = match proof {
                Proof::Step(_) => AuditAction::SignedIn,
                Proof::Recovery(_) => AuditAction::SignedInByRecovery,
            };
            let what = (action, session.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &completion.call, what, at)?, true))
        })
        .await
    }

    async fn reset_two_step(
        &self,
        by: Option<Author>,
        user: UserId,
        at: Timestamp,
    ) -> Result<Option<bool>, StoreError> {
        self.write(Writing::Few, move |connection| {
            if !lock_user(connection, by.as_ref().map(|by| by.company), user)? {
                return Ok(Recorded::unchanged(None));
            }
            let had_app = two_step::delete(connection, user)?;
            let had_passkeys = passkeys::delete_all(connection, user)?;
            if !had_app && !had_passkeys {
                return Ok(Recorded::unchanged(Some(false)));
            }
            let by = author_for(connection, by.as_ref(), user)?;
            let entry = NewAuditEntry::of(&by, AuditAction::TwoStepReset, user.uuid(), at);
            Ok(Recorded::by(audit::append(connection, &entry)?, Some(true)))
        })
        .await
    }

    async fn turn_off_two_step(
        &self,
        user: UserId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            if !lock_user(connection, None, user)? || !two_step::delete(connection, user)? {
                return Ok(Recorded::unchanged(false));
            }
            let what = (AuditAction::TwoStepOff, user.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &call, what, at)?, true))
        })
        .await
    }
}
