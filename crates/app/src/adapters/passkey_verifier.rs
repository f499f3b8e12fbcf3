//! The ceremonies of passkeys, with `webauthn-rs`.
//!
//! A passkey belongs to the host of the service's public address, and only answers for its origin are accepted.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contact_hub_domain::access::{
    CHALLENGE_SECONDS, Ceremony, CeremonyError, Claim, CredentialId, NewCredential,
    PasskeyVerifier, Proven, Refused,
};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::UserId;
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// What authenticators call the service.
const NAME: &str = "Contact Hub";

/// Checks answers with `webauthn-rs`.
pub struct WebauthnVerifier(Webauthn);

impl WebauthnVerifier {
    /// The verifier of a service with this public address; `None` when browsers allow no passkeys there. They need a
    /// domain name, and https unless it is `localhost`.
    #[must_use]
    pub fn of(public_url: &str) -> Option<Self> {
        let url = Url::parse(public_url).ok()?;
        let host = url.domain()?;
        let is_local = host == "localhost" || host.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return None;
        }
        let wait = Duration::from_secs(u64::try_from(CHALLENGE_SECONDS).ok()?);
        let builder = WebauthnBuilder::new(host, &url).ok()?.rp_name(NAME).timeout(wait);
        builder.build().ok().map(Self)
    }
}

impl PasskeyVerifier for WebauthnVerifier {
    fn begin_registration(
        &self,
        user: UserId,
        email: &Email,
        known: &[CredentialId],
    ) -> Result<Ceremony, CeremonyError> {
        let known = known.iter().map(|id| id.bytes().to_vec()).collect();
        let name = email.as_str();
        let begun = self.0.start_passkey_registration(user.uuid(), name, name, Some(known));
        let (request, state) = begun.map_err(|error| failed(&error))?;
        let mut options = json(&request.public_key)?;
        // The library leaves it to the authenticator whether the passkey can be found without an email.
        if let Some(Value::Object(selection)) = options.get_mut("authenticatorSelection") {
            selection.insert("residentKey".to_owned(), json!("required"));
            selection.insert("requireResidentKey".to_owned(), json!(true));
        }
        Ok(Ceremony { options: options.to_string(), state: json(&state)?.to_string() })
    }

    fn register(&self, state: &str, answer: &str) -> Result<NewCredential, Refused> {
        let state: PasskeyRegistration = read(state)?;
        let answer: RegisterPublicKeyCredential = read(answer)?;
        let passkey =
            self.0.finish_passkey_registration(&answer, &state).map_err(|error| refused(&error))?;
        let id = CredentialId::new(passkey.cred_id().clone());
        Ok(NewCredential { id, key: stored(&passkey)? })
    }

    fn begin_proof(&self, allowed: &[CredentialId]) -> Result<Ceremony, CeremonyError> {
        let begun = self.0.start_discoverable_authentication();
        let (request, state) = begun.map_err(|error| failed(&error))?;
        let mut options = json(&request.public_key)?;
        let text = |id: &CredentialId| BASE64_URL_SAFE_NO_PAD.encode(id.bytes());
        let allow = |id| json!({"type": "public-key", "id": text(id)});
        if let Value::Object(options) = &mut options {
            let allowed = allowed.iter().map(allow).collect();
            options.insert("allowCredentials".to_owned(), Value::Array(allowed));
        }
        Ok(Ceremony { options: options.to_string(), state: json(&state)?.to_string() })
    }

    fn claim(&self, answer: &str) -> Option<Claim> {
        let answer: PublicKeyCredential = read(answer).ok()?;
        let user = match answer.get_user_unique_id() {
            Some(handle) => Some(UserId::new(Uuid::from_slice(handle).ok()?)),
            None => None,
        };
        Some(Claim { credential: CredentialId::new(answer.get_credential_id().to_vec()), user })
    }

    fn prove(&self, state: &str, answer: &str, key: &str) -> Result<Proven, Refused> {
        let state: DiscoverableAuthentication = read(state)?;
        let answer: PublicKeyCredential = read(answer)?;
        let mut passkey: Passkey = read(key)?;
        let proof = self.0.finish_discoverable_authentication_v2(&answer, state, &passkey);
        let proof = proof.map_err(|error| refused(&error))?;
        passkey.update_credential(&proof);
        Ok(Proven { key: stored(&passkey)?, counter: proof.counter() })
    }
}

fn json(value: &impl Serialize) -> Result<Value, CeremonyError> {
    serde_json::to_value(value).map_err(|error| CeremonyError(error.to_string()))
}

fn failed(error: &WebauthnError) -> CeremonyError {
    CeremonyError(error.to_string())
}

fn read<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, Refused> {
    serde_json::from_str(text).map_err(|_malformed| Refused::Invalid)
}

fn stored(passkey: &Passkey) -> Result<String, Refused> {
    serde_json::to_string(passkey).map_err(|_never| Refused::Invalid)
}

fn refused(error: &WebauthnError) -> Refused {
    match error {
        WebauthnError::CredentialPossibleCompromise => Refused::CounterWentBack,
        _ => Refused::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::WebauthnVerifier;

    #[test]
    fn passkeys_need_a_domain_and_a_secure_address() {
        for (address, has_passkeys) in [
            ("https://hub.example", true),
            ("https://hub.example:8443/below", true),
            ("http://localhost:8080", true),
            ("http://hub.localhost:8080", true),
            ("http://hub.example", false),
            ("http://127.0.0.1:8080", false),
            ("https://[2001:db8::1]", false),
            ("", false),
        ] {
            assert_eq!(WebauthnVerifier::of(address).is_some(), has_passkeys, "{address}");
        }
    }
}
