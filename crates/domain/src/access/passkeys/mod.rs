//! Passkeys: keys on a person's device, with which people sign in and confirm who they are, without a password.
//!
//! A user adds them on the account page. A session that begins with one needs no code, and a company that requires
//! two-step verification accepts them in its place.

mod challenge;
mod confirm;
mod manage;
mod passkey;
mod port;
mod proof;
mod sign_in;
mod verifier;

pub use challenge::{
    Bound, CHALLENGE_SECONDS, Challenge, ChallengePurpose, MAX_CHALLENGES,
    MAX_CHALLENGES_OF_NETWORK, PasskeyRequest,
};
pub use confirm::{begin_passkey_confirmation, confirm_with_passkey};
pub use manage::{add_passkey, begin_passkey, delete_passkey, list_passkeys, rename_passkey};
pub use passkey::{
    CredentialId, MAX_PASSKEY_NAME, MAX_PASSKEYS, Passkey, PasskeyDraft, PasskeyName,
};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockPasskeyStore;
pub use port::{AddPasskeyOutcome, NewPasskey, PasskeyStore, PasskeyUse, StoredPasskey};
pub use sign_in::{begin_passkey_sign_in, sign_in_with_passkey};
#[cfg(any(test, feature = "mocks"))]
pub use verifier::MockPasskeyVerifier;
pub use verifier::{
    Ceremony, CeremonyError, Claim, NewCredential, PasskeyVerifier, Proven, Refused,
};
