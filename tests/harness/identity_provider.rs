//! An identity provider for tests, whose answers a test can choose.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use url::Url;

/// The client id that it knows.
pub const OIDC_CLIENT: &str = "hub";

/// Its behaviour from now on.
#[derive(Clone, Debug)]
pub struct Script {
    /// Claims that replace those of the token; null removes one.
    pub claims: Value,
    /// The algorithm that the token names. With `none`, the token has no signature.
    pub algorithm: &'static str,
    /// Claims of the profile, in addition to the subject.
    pub profile: Value,
    /// Whether the signing key is missing among the published keys.
    pub signs_with_other_key: bool,
    /// Members that replace those of the discovery document; null removes one.
    pub discovery: Value,
    /// Extra bytes after the discovery document.
    pub padding: usize,
    /// The delay before the discovery document.
    pub delay: Duration,
    /// Whether it rejects codes.
    pub refuses_codes: bool,
    /// How many seconds its clock is ahead.
    pub ahead: u64,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            claims: json!({}),
            algorithm: "ES256",
            profile: json!({}),
            signs_with_other_key: false,
            discovery: json!({}),
            padding: 0,
            delay: Duration::ZERO,
            refuses_codes: false,
            ahead: 0,
        }
    }
}

/// Serves on this machine until it is dropped.
pub struct IdentityProvider {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

struct State {
    issuer: String,
    key: EcdsaKeyPair,
    other_key: EcdsaKeyPair,
    script: Mutex<Script>,
    /// The parameters of the latest authorization request.
    asked: Mutex<Vec<(String, String)>>,
    /// The requested paths.
    requests: Mutex<Vec<String>>,
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl IdentityProvider {
    /// Starts one that signs in the user of [`CompanyOptions`](crate::CompanyOptions).
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let key = || EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        let state = Arc::new(State {
            issuer: format!("http://{address}"),
            key: key(),
            other_key: key(),
            script: Mutex::default(),
            asked: Mutex::default(),
            requests: Mutex::default(),
        });
        let served = Arc::clone(&state);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&served)));
            }
        });
        Self { address, state, task }
    }

    /// Its issuer.
    #[must_use]
    pub fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its time in seconds since 1970, without its clock offset.
    #[must_use]
    pub fn now() -> u64 {
        seconds()
    }

    /// Its behaviour from now on.
    pub fn play(&self, script: Script) {
        *self.state.script.lock().expect("no panic") = script;
    }

    /// The paths that have been requested so far.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.state.requests.lock().expect("no panic").clone()
    }

    /// Signs a person in whose browser was redirected to this address. Returns the address to which the browser is sent
    /// back, with a code and without scheme and host.
    #[must_use]
    pub fn sign_in(&self, location: &str) -> String {
        let asked = self.ask(location);
        let state = value(&asked, "state");
        let redirect = Url::parse(&value(&asked, "redirect_uri")).expect("an address");
        *self.state.asked.lock().expect("no panic") = asked;
        format!("{}?code=a-code&state={state}", redirect.path())
    }

    /// The parameters of an authorization request.
    #[must_use]
    pub fn ask(&self, location: &str) -> Vec<(String, String)> {
        let location = Url::parse(location).expect("an address");
        assert_eq!(location.origin().ascii_serialization(), self.issuer());
        location.query_pairs().into_owned().collect()
    }
}

/// A parameter of a query.
fn value(asked: &[(String, String)], name: &str) -> String {
    let found = asked.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.clone()).unwrap_or_default()
}

async fn serve(mut stream: TcpStream, state: Arc<State>) {
    while let Some((head, body)) = read(&mut stream).await {
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        state.requests.lock().expect("no panic").push(path.clone());
        let script = state.script.lock().expect("no panic").clone();
        if path.starts_with("/.well-known/") {
            tokio::time::sleep(script.delay).await;
        }
        let (status, text) = state.answer(&path, &body, &script);
        let padding = if path.starts_with("/.well-known/") { script.padding } else { 0 };
        let mut answer = format!(
            "HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            text.len() + padding
        );
        answer.push_str(&text);
        if stream.write_all(answer.as_bytes()).await.is_err() || !pad(&mut stream, padding).await {
            return;
        }
    }
}

/// Sends spaces; false if the other side does not read them.
async fn pad(stream: &mut TcpStream, mut left: usize) -> bool {
    let blanks = vec![b' '; 65_536];
    while left > 0 {
        let count = left.min(blanks.len());
        if stream.write_all(&blanks[..count]).await.is_err() {
            return false;
        }
        left -= count;
    }
    true
}

async fn read(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(chunk.get(..count)?);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            return Some((head.to_owned(), body.to_owned()));
        }
    }
}

impl State {
    fn answer(&self, path: &str, body: &str, script: &Script) -> (u16, String) {
        let answer = match path {
            "/.well-known/openid-configuration" => self.discovery(script),
            "/keys" => json!({"keys": [jwk(&self.key)]}),
            "/profile" => replaced(json!({"sub": subject(script)}), &script.profile),
            "/token" if script.refuses_codes => {
                return (400, json!({"error": "invalid_grant"}).to_string());
            }
            "/token" => {
                self.check(body);
                let token = self.token(script);
                json!({"access_token": "an-access-token", "token_type": "Bearer", "id_token": token})
            }
            _ => return (404, "{}".to_owned()),
        };
        (200, answer.to_string())
    }

    fn discovery(&self, script: &Script) -> Value {
        let issuer = &self.issuer;
        let document = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "userinfo_endpoint": format!("{issuer}/profile"),
            "jwks_uri": format!("{issuer}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256", "RS256"],
        });
        replaced(document, &script.discovery)
    }

    /// Fails the test unless the code is redeemed with the verifier of the request.
    fn check(&self, body: &str) {
        let given: Vec<(String, String)> =
            url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
        let asked = self.asked.lock().expect("no panic");
        let verifier = value(&given, "code_verifier");
        let hash = <sha2::Sha256 as sha2::Digest>::digest(verifier.as_bytes());
        assert_eq!(BASE64_URL_SAFE_NO_PAD.encode(hash), value(&asked, "code_challenge"));
        assert_eq!(value(&asked, "code_challenge_method"), "S256");
        assert_eq!(value(&given, "redirect_uri"), value(&asked, "redirect_uri"));
        assert_eq!(value(&given, "code"), "a-code");
    }

    fn token(&self, script: &Script) -> String {
        let now = seconds() + script.ahead;
        let nonce = value(&self.asked.lock().expect("no panic"), "nonce");
        let claims = json!({
            "iss": self.issuer,
            "sub": "ann-1",
            "aud": OIDC_CLIENT,
            "exp": now + 300,
            "iat": now,
            "auth_time": now,
            "nonce": nonce,
            "email": "api@acme.example",
            "email_verified": true,
        });
        let claims = replaced(claims, &script.claims);
        let head = json!({"alg": script.algorithm, "typ": "JWT", "kid": "one"});
        let encoded = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let mut token = format!("{}.{}", encoded(&head), encoded(&claims));
        let key = if script.signs_with_other_key { &self.other_key } else { &self.key };
        let signature = if script.algorithm == "none" {
            String::new()
        } else {
            let signature = key.sign(&SystemRandom::new(), token.as_bytes());
            BASE64_URL_SAFE_NO_PAD.encode(signature.expect("a signature"))
        };
        write!(token, ".{signature}").expect("text");
        token
    }
}

fn seconds() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.expect("after 1970").as_secs()
}

fn subject(script: &Script) -> Value {
    script.claims.get("sub").cloned().unwrap_or_else(|| "ann-1".into())
}

/// The public key as RFC 7517 writes it. The encoded point is a byte for its format, and two coordinates.
fn jwk(key: &EcdsaKeyPair) -> Value {
    let point = key.public_key().as_ref();
    let coordinate = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    json!({
        "kty": "EC",
        "crv": "P-256",
        "alg": "ES256",
        "use": "sig",
        "kid": "one",
        "x": coordinate(&point[1..33]),
        "y": coordinate(&point[33..]),
    })
}

/// The members, overwritten with those of the other object; null removes one.
fn replaced(mut object: Value, by: &Value) -> Value {
    let members = object.as_object_mut().expect("an object");
    for (name, value) in by.as_object().expect("an object") {
        if value.is_null() {
            members.remove(name);
        } else {
            members.insert(name.clone(), value.clone());
        }
    }
    object
}
