//! The session port.

use async_trait::async_trait;

use contact_hub_domain::access::{
    Link, LinkHolder, ListedSession, PasswordChange, PasswordHash, Redemption, Session,
    SessionHolder, SessionStore, SignInCandidate, TokenHash,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::{Author, Call};
use contact_hub_domain::ids::{SessionId, UserId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;
use serde_json::Map;

use super::audit::{append_of_user, author_for, password_changed};
use super::sessions::Begun;
use super::{keys, links, sessions};
use crate::Storage;
use crate::audit;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

#[async_trait]
impl SessionStore for Storage {
    async fn candidates(
        &self,
        identity: String,
        limit: u32,
    ) -> Result<Vec<SignInCandidate>, StoreError> {
        self.read(Reading::Few, move |connection| {
            sessions::candidates(connection, &identity, limit)
        })
        .await
    }

    async fn create_session(
        &self,
        session: Session,
        token: TokenHash,
        password: Option<PasswordHash>,
        call: Call,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            let password = password.as_ref();
            let begun = sessions::create(connection, &session, token, password, &call)?;
            if begun != Some(Begun::Open) {
                // Nobody is signed in before the second step, which appends the entry.
                return Ok(Recorded::unchanged(begun.is_some()));
            }
            let (what, at) = ((AuditAction::SignedIn, session.id.uuid()), session.created_at);
            let entry = append_of_user(connection, session.user_id, &call, what, at)?;
            Ok(Recorded::by(entry, true))
        })
        .await
    }

    async fn session(&self, token: TokenHash) -> Result<Option<SessionHolder>, StoreError> {
        self.read(Reading::Control, move |connection| sessions::holder(connection, token)).await
    }

    async fn see_session(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        let unit = move |connection: &mut _| sessions::see(connection, id, at);
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn confirm_session(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        let unit = move |connection: &mut _| sessions::confirm(connection, id, at);
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn sessions_of(&self, user: UserId) -> Result<Vec<ListedSession>, StoreError> {
        self.read(Reading::Few, move |connection| sessions::of_user(connection, user)).await
    }

    async fn end_session(
        &self,
        user: UserId,
        id: SessionId,
        call: Call,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            let is_ended = sessions::end(connection, user, id)?;
            if !is_ended {
                return Ok(Recorded::unchanged(false));
            }
            let what = (AuditAction::SessionEnded, id.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &call, what, at)?, true))
        })
        .await
    }

    async fn end_sessions(
        &self,
        user: UserId,
        call: Call,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(Writing::Few, move |connection| {
            if !sessions::end_all(connection, user)? {
                return Ok(Recorded::unchanged(()));
            }
            let what = (AuditAction::SessionsEnded, user.uuid());
            Ok(Recorded::by(append_of_user(connection, user, &call, what, at)?, ()))
        })
        .await
    }

    async fn create_link(
        &self,
        by: Option<Author>,
        link: Link,
        token: TokenHash,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| {
            let company = by.as_ref().map(|by| by.company);
            let is_created = links::create(connection, company, &link, token)?;
            if !is_created {
                return Ok(Recorded::unchanged(false));
            }
            let by = author_for(connection, by.as_ref(), link.user_id)?;
            let (id, at) = (link.user_id.uuid(), link.created_at);
            let entry = NewAuditEntry::of(&by, AuditAction::UserInvited, id, at);
            Ok(Recorded::by(audit::append(connection, &entry)?, true))
        })
        .await
    }

    async fn link(&self, token: TokenHash) -> Result<Option<LinkHolder>, StoreError> {
        self.read(Reading::Few, move |connection| links::holder(connection, token)).await
    }

    async fn redeem(&self, redemption: Redemption) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| links::redeem(connection, &redemption)).await
    }

    async fn password_of(&self, user: UserId) -> Result<Option<PasswordHash>, StoreError> {
        self.read(Reading::Few, move |connection| sessions::password_of(connection, user)).await
    }

    async fn set_password(&self, change: PasswordChange) -> Result<bool, StoreError> {
        let set = self.write(Writing::Few, move |connection| {
            if !sessions::set_password(connection, &change)? {
                return Ok(Recorded::unchanged(false));
            }
            let PasswordChange { user, call, at, .. } = &change;
            let mut entry = password_changed(connection, *user, call, *at)?;
            if change.end_keys {
                let revoked = keys::revoke_all(connection, *user, *at)?;
                entry.counts =
                    Some(Map::from_iter([("api_keys_revoked".to_owned(), revoked.into())]));
            }
            Ok(Recorded::by(audit::append(connection, &entry)?, true))
        });
        let set = set.await?;
        self.once_committed(|storage| storage.holders().forget());
        Ok(set)
    }
}
