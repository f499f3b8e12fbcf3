//! The session port.

use async_trait::async_trait;

use contact_hub_domain::access::{
    Link, LinkHolder, PasswordHash, Redemption, Session, SessionHolder, SessionStore,
    SignInCandidate, TokenHash,
};
use contact_hub_domain::ids::{CompanyId, SessionId, UserId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{keys, links, sessions};
use crate::Storage;
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

    async fn create_session(&self, session: Session, token: TokenHash) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| sessions::create(connection, &session, token))
            .await
    }

    async fn session(&self, token: TokenHash) -> Result<Option<SessionHolder>, StoreError> {
        self.read(Reading::Control, move |connection| sessions::holder(connection, token)).await
    }

    async fn see_session(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        self.write(Writing::Few, move |connection| sessions::see(connection, id, at)).await
    }

    async fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError> {
        self.read(Reading::Few, move |connection| sessions::of_user(connection, user)).await
    }

    async fn end_session(&self, user: UserId, id: SessionId) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| sessions::end(connection, user, id)).await
    }

    async fn create_link(
        &self,
        company: Option<CompanyId>,
        link: Link,
        token: TokenHash,
    ) -> Result<bool, StoreError> {
        self.write(Writing::Few, move |connection| links::create(connection, company, &link, token))
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

    async fn set_password(
        &self,
        user: UserId,
        password: PasswordHash,
        keep: SessionId,
        end_keys: bool,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let set = self.write(Writing::Few, move |connection| {
            let set = sessions::set_password(connection, user, &password, keep, at)?;
            if set && end_keys {
                keys::revoke_all(connection, user, at)?;
            }
            Ok(set)
        });
        let set = set.await?;
        self.once_committed(|storage| storage.holders().forget());
        Ok(set)
    }
}
