//! Hashes passwords with Argon2id.
//!
//! The parameters are the first that the OWASP Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane.
//! A hash contains its parameters, so they can be changed later without invalidating old passwords.

use std::net::IpAddr;
use std::sync::Arc;

use argon2::password_hash::{Error, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;
use contact_hub_domain::access::{Password, PasswordHash, PasswordHasher};
use contact_hub_domain::ports::{Randomness, StoreError};

use super::hash_permits::HashPermits;

const SALT_BYTES: usize = 16;

/// The hash that a password is compared with when there is no user. It has the parameters of a real one and matches
/// no password.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes on blocking threads, a few at once.
pub struct Argon2idHasher {
    randomness: Arc<dyn Randomness>,
    permits: HashPermits,
}

impl Argon2idHasher {
    /// A hasher that takes its salts from `randomness`.
    #[must_use]
    pub fn new(randomness: Arc<dyn Randomness>) -> Self {
        Self { randomness, permits: HashPermits::default() }
    }

    async fn work<T: Send + 'static>(
        &self,
        client: IpAddr,
        work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.permits.take(client).await?;
        // The permit moves into the work, which continues when the client disconnects.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        let done = done.await;
        done.map_err(|panicked| StoreError::Failed(Box::new(panicked)))?
    }
}

fn argon2id() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

fn failed(error: Error) -> StoreError {
    StoreError::Failed(Box::new(error))
}

#[async_trait]
impl PasswordHasher for Argon2idHasher {
    async fn hash(&self, password: Password, client: IpAddr) -> Result<PasswordHash, StoreError> {
        let randomness = self.randomness.bytes();
        let work = move || {
            let salt = randomness.first_chunk::<SALT_BYTES>().map_or(randomness.as_slice(), |s| s);
            let hash = argon2id().hash_password_with_salt(password.reveal().as_bytes(), salt);
            hash.map(|hash| PasswordHash::new(hash.to_string())).map_err(failed)
        };
        self.work(client, work).await
    }

    async fn verify(
        &self,
        password: Password,
        hash: Option<PasswordHash>,
        client: IpAddr,
    ) -> Result<bool, StoreError> {
        let work = move || {
            let kept = hash.as_ref().map_or(NOBODYS, PasswordHash::as_str);
            match argon2id().verify_password(password.reveal().as_bytes(), kept) {
                Ok(()) => Ok(hash.is_some()),
                Err(Error::PasswordInvalid) => Ok(false),
                Err(_unreadable) => Err(StoreError::Corrupt("a password's hash".to_owned())),
            }
        };
        self.work(client, work).await
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use contact_hub_domain::access::{Password, PasswordHash, PasswordHasher as _};

    use super::{Argon2idHasher, NOBODYS};
    use crate::adapters::SystemRandomness;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn password(text: &str) -> Password {
        Password::attempt(text).expect("a password")
    }

    #[tokio::test]
    async fn hashes_with_the_recommended_parameters_and_fresh_salts() {
        let hasher = Argon2idHasher::new(Arc::new(SystemRandomness));
        let one = hasher.hash(password("correct horse"), HERE).await.expect("a hash");
        let other = hasher.hash(password("correct horse"), HERE).await.expect("a hash");
        let parameters = "$argon2id$v=19$m=19456,t=2,p=1$";
        assert!(one.as_str().starts_with(parameters) && NOBODYS.starts_with(parameters));
        assert_eq!(one.as_str().len(), NOBODYS.len());
        assert!(one != other);
        for hash in [one, other] {
            let verify = |text| hasher.verify(password(text), Some(hash.clone()), HERE);
            assert!(verify("correct horse").await.expect("an answer"));
            assert!(!verify("correct horsf").await.expect("an answer"));
        }
    }

    #[tokio::test]
    async fn an_unknown_user_fails_verification_and_a_broken_hash_is_an_error() {
        let hasher = Argon2idHasher::new(Arc::new(SystemRandomness));
        assert!(!hasher.verify(password("anything"), None, HERE).await.expect("an answer"));
        let broken = PasswordHash::new("x".to_owned());
        assert!(hasher.verify(password("anything"), Some(broken), HERE).await.is_err());
    }
}
