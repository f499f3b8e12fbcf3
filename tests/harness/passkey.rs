//! An authenticator for tests: a passkey in software, with ES256 and without attestation.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// The user was present.
const PRESENT: u8 = 0x01;

/// The authenticator verified its user.
const VERIFIED: u8 = 0x04;

/// The data has a new key.
const HAS_KEY: u8 = 0x40;

/// A passkey. Tests modify what an attacker could modify.
#[derive(Clone)]
pub struct SoftPasskey {
    key: SigningKey,
    id: Vec<u8>,
    user: String,
    /// The origin of the page that asks, as the browser reports it.
    pub origin: String,
    /// The host to which the passkey belongs.
    pub host: String,
    /// How often it was used.
    pub counter: u32,
    /// Whether the authenticator counts its uses; those that sync passkeys between devices do not.
    pub counts: bool,
    /// Whether the authenticator verifies its user.
    pub is_verified: bool,
}

impl SoftPasskey {
    /// Creates a passkey according to the options, in a browser at this origin. Returns it with the answer.
    #[must_use]
    pub fn create(origin: &str, options: &Value) -> (Self, String) {
        let random = || [*Uuid::new_v4().as_bytes(), *Uuid::new_v4().as_bytes()].concat();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let made = Self {
            key: SigningKey::from_slice(&random()).expect("a key"),
            id: random(),
            user: text(&options["user"]["id"]),
            origin: origin.to_owned(),
            host: text(&options["rp"]["id"]),
            counter: 0,
            counts: true,
            is_verified: true,
        };
        let client = made.client_data("webauthn.create", options);
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        let data = [made.data(HAS_KEY), made.credential()].concat();
        object.push(u8::try_from(data.len()).expect("short"));
        object.extend(data);
        let response =
            json!({"attestationObject": encoded(&object), "clientDataJSON": encoded(&client)});
        let answer = made.answer(&response);
        (made, answer)
    }

    /// Uses the passkey according to the options.
    pub fn prove(&mut self, options: &Value) -> String {
        self.counter += u32::from(self.counts);
        let (client, data) = (self.client_data("webauthn.get", options), self.data(0));
        let signed = [data.clone(), Sha256::digest(&client).to_vec()].concat();
        let signature: Signature = self.key.sign(&signed);
        self.answer(&json!({
            "authenticatorData": encoded(&data),
            "clientDataJSON": encoded(&client),
            "signature": encoded(signature.to_der().as_bytes()),
            "userHandle": self.user,
        }))
    }

    fn answer(&self, response: &Value) -> String {
        let id = encoded(&self.id);
        json!({"id": id, "rawId": id, "type": "public-key", "response": response}).to_string()
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let challenge = &options["challenge"];
        let data = json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false});
        data.to_string().into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let verified = if self.is_verified { VERIFIED } else { 0 };
        let mut data = Sha256::digest(&self.host).to_vec();
        data.push(PRESENT | verified | flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// A zero AAGUID, the id, and the public key in COSE format.
    fn credential(&self) -> Vec<u8> {
        let length = u16::try_from(self.id.len()).expect("short").to_be_bytes();
        let point = self.key.verifying_key().to_sec1_point(false);
        let (x, y) = (point.x().expect("a point"), point.y().expect("a point"));
        let key =
            [&b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"[..], x, b"\x22\x58\x20", y].concat();
        [&[0; 16][..], &length, &self.id, &key].concat()
    }
}

fn encoded(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
