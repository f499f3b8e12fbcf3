//! The port of passkeys.

use async_trait::async_trait;

use contact_hub_domain::access::{
    AddPasskeyOutcome, Bound, Challenge, CredentialId, NewPasskey, Passkey, PasskeyName,
    PasskeyStore, PasskeyUse, Session, StoredPasskey, TokenHash,
};
use contact_hub_domain::audit::AuditAction;
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::{PasskeyId, SessionId, UserId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{challenges, keys};
use crate::Storage;
use crate::access::audit::append_of_user;
use crate::access::lock::lock_user;
use crate::access::sessions;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

#[async_trait]
impl PasskeyStore for Storage {
    async fn save_challenge(&self, challenge: Challenge) -> Result<(), StoreError> {
        let unit = move |connection: &mut _| challenges::save(connection, &challenge);
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn take_challenge(
        &self,
        token: TokenHash,
        bound: Bound,
        after: Timestamp,
    ) -> Result<Option<String>, StoreError> {
        let unit = move |connection: &mut _| challenges::take(connection, token, bound, after);
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn passkeys_of(&self, user: UserId) -> Result<Vec<Passkey>, StoreError> {
        self.read(Reading::Few, move |connection| keys::of_user(connection, user)).await
    }

    async fn credential_ids(&self, user: UserId) -> Result<Vec<CredentialId>, StoreError> {
        self.read(Reading::Few, move |connection| keys::credential_ids(connection, user)).await
    }

    async fn passkey(&self, id: CredentialId) -> Result<Option<StoredPasskey>, StoreError> {
        self.read(Reading::Few, move |connection| keys::stored(connection, &id)).await
    }

    async fn add_passkey(
        &self,
        new: NewPasskey,
        max: usize,
        call: Call,
    ) -> Result<AddPasskeyOutcome, StoreError> {
        self.write(Writing::Few, move |connection| {
            let outcome = keys::add(connection, &new, max)?;
            if outcome != AddPasskeyOutcome::Added {
                return Ok(Recorded::unchanged(outcome));
            }
            let what = (AuditAction::PasskeyCreated, new.passkey.id.uuid());
            let at = new.passkey.created_at;
            Ok(Recorded::by(append_of_user(connection, new.user, &call, what, at)?, outcome))
        })
        .await
    }

    async fn rename_passkey(
        &self,
        user: UserId,
        id: PasskeyId,
        name: PasskeyName,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            if !keys::rename(connection, user, id, &name)? {
                return Ok(Recorded::unchanged(false));
            }
            let what = (AuditAction::PasskeyUpdated, id.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &call, what, at)?, true))
        })
        .await
    }

    async fn delete_passkey(
        &self,
        user: UserId,
        id: PasskeyId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            if !keys::delete(connection, user, id)? {
                return Ok(Recorded::unchanged(false));
            }
            let what = (AuditAction::PasskeyDeleted, id.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &call, what, at)?, true))
        })
        .await
    }

    async fn sign_in_with_passkey(
        &self,
        used: PasskeyUse,
        session: Session,
        token: TokenHash,
        call: Call,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            let is_there = lock_user(connection, None, used.user)?;
            if !is_there || !keys::record_use(connection, &used)? {
                return Ok(Recorded::unchanged(false));
            }
            sessions::insert_open(connection, &session, token, &call)?;
            let what = (AuditAction::SignedInByPasskey, session.id.uuid());
            let entry = append_of_user(connection, used.user, &call, what, used.at)?;
            Ok(Recorded::by(entry, true))
        })
        .await
    }

    async fn confirm_with_passkey(
        &self,
        used: PasskeyUse,
        session: SessionId,
    ) -> Result<bool, StoreError> {
        let unit = move |connection: &mut _| {
            let counts = keys::record_use(connection, &used)?;
            if counts {
                sessions::confirm(connection, session, used.at)?;
            }
            Ok(counts)
        };
        self.write_unrecorded(Writing::Few, unit).await
    }
}
