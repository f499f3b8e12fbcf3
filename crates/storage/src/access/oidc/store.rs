//! The port of sign-ins by identity providers.

use async_trait::async_trait;

use contact_hub_domain::access::{
    OidcAttempt, OidcSignIn, OidcSignInOutcome, OidcStore, OidcSubject, TokenHash,
};
use contact_hub_domain::ids::UserId;
use contact_hub_domain::ports::StoreError;

use super::{attempts, sign_in, subjects};
use crate::Storage;
use crate::units::{Reading, Writing};

#[async_trait]
impl OidcStore for Storage {
    async fn begin_oidc(&self, attempt: OidcAttempt) -> Result<(), StoreError> {
        let unit = move |connection: &mut _| attempts::begin(connection, &attempt);
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn take_oidc(&self, browser: TokenHash) -> Result<Option<OidcAttempt>, StoreError> {
        let unit = move |connection: &mut _| attempts::take(connection, browser);
        self.write_unrecorded(Writing::Few, unit).await
    }

    async fn sign_in_by_oidc(&self, sign_in: OidcSignIn) -> Result<OidcSignInOutcome, StoreError> {
        let changes_users = sign_in.permissions.is_some();
        let unit = move |connection: &mut _| sign_in::sign_in(connection, &sign_in);
        let outcome = self.write(Writing::Few, unit).await?;
        if changes_users {
            self.once_committed(|storage| storage.holders().forget());
        }
        Ok(outcome)
    }

    async fn user_of_subject(&self, subject: OidcSubject) -> Result<Option<UserId>, StoreError> {
        let unit = move |connection: &mut _| subjects::user_of(connection, &subject);
        self.read(Reading::Few, unit).await
    }

    async fn providers_of_user(&self, user: UserId) -> Result<Vec<String>, StoreError> {
        let unit = move |connection: &mut _| subjects::providers_of(connection, user);
        self.read(Reading::Few, unit).await
    }
}
