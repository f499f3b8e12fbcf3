//! The port of the ceremonies in which authenticators create passkeys and prove that they have them (Web
//! Authentication, W3C).

use super::CredentialId;
use crate::email::Email;
use crate::ids::UserId;

/// A ceremony that begins.
#[derive(Clone, Debug)]
pub struct Ceremony {
    /// What the browser's script needs, as JSON.
    pub options: String,
    /// The state that the verifier needs at the end, including the challenge. Browsers never see it.
    pub state: String,
}

/// A ceremony could not begin.
#[derive(Debug, thiserror::Error)]
#[error("a ceremony of passkeys could not begin: {0}")]
pub struct CeremonyError(pub String);

/// A passkey that an authenticator created.
#[derive(Clone, Debug)]
pub struct NewCredential {
    /// Its id.
    pub id: CredentialId,
    /// Its public key, in the verifier's form.
    pub key: String,
}

/// Which passkey an answer claims to be made with.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its id.
    pub credential: CredentialId,
    /// Its user, if the authenticator reports it.
    pub user: Option<UserId>,
}

/// Proof that an answer was made with a passkey.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The public key with its new state, in the verifier's form.
    pub key: String,
    /// How often its authenticator has used it; always 0 when the authenticator does not count.
    pub counter: u32,
}

/// Why an answer is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is malformed, for another challenge or site, not signed with the passkey, or the user was not verified.
    Invalid,
    /// The counter has not grown, so there may be a copy of the passkey.
    CounterWentBack,
}

/// Begins ceremonies and checks the answers of authenticators. Every ceremony requires that the authenticator verifies
/// its user, by a PIN or a biometric. An answer counts only for the service's own site.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
pub trait PasskeyVerifier: Send + Sync {
    /// Begins to create a passkey of the user, on an authenticator that has none of the known ones.
    fn begin_registration(
        &self,
        user: UserId,
        email: &Email,
        known: &[CredentialId],
    ) -> Result<Ceremony, CeremonyError>;

    /// The passkey that the answer to this ceremony brings.
    fn register(&self, state: &str, answer: &str) -> Result<NewCredential, Refused>;

    /// Begins a proof with one of these passkeys, or with any when there are none.
    fn begin_proof(&self, allowed: &[CredentialId]) -> Result<Ceremony, CeremonyError>;

    /// The passkey that an answer claims to be made with; `None` when the answer is malformed.
    fn claim(&self, answer: &str) -> Option<Claim>;

    /// Checks that the answer to this ceremony was made with the passkey that has this public key.
    fn prove(&self, state: &str, answer: &str, key: &str) -> Result<Proven, Refused>;
}
