//! The means of verification for integrators accept real deliveries: the snippets of `docs/integrating/`, and the
//! published libraries of the Standard Webhooks specification.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use contact_hub_tests::{Received, Receiver, TestHub, with_hub};
use serde_json::json;
use standardwebhooks::Webhook;

use crate::snippets::{program, target};

#[path = "../../docs/integrating/verify.rs"]
mod verify;

/// The version of the library for Python.
const LIBRARY: &str = "standardwebhooks==1.1.0";

/// Verifies with the library for Python: the secret as an argument, headers and body as JSON on standard input.
const WITH_LIBRARY: &str = "\
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
raw = json.load(sys.stdin)
try:
    Webhook(sys.argv[1]).verify(raw['body'], raw['headers'])
except WebhookVerificationError as error:
    print(error)
    sys.exit(1)
";

/// Deliveries of one webhook, with every secret that was used.
struct Delivered {
    request: Received,
    /// As it is entered in a receiver, and as a library expects it.
    secrets: Vec<(String, String)>,
}

impl Delivered {
    fn service_signatures(&self) -> Vec<&str> {
        let names = ["Service-Signature", "Service-Signature-Previous"];
        let values = names.map(|name| self.request.header(name));
        values.into_iter().filter(|value| !value.is_empty()).collect()
    }

    /// The body with one byte changed.
    fn changed(&self) -> String {
        let changed = self.request.body.replacen("\"test\"", "\"tesT\"", 1);
        assert_ne!(changed, self.request.body);
        changed
    }

    fn headers(&self) -> [(&'static str, &str); 3] {
        ["webhook-id", "webhook-timestamp", "webhook-signature"]
            .map(|name| (name, self.request.header(name)))
    }
}

/// Four real deliveries: with a generated and with a typed secret, and each of them again after a rotation.
async fn delivered(hub: &TestHub) -> Vec<Delivered> {
    let client = hub.client().await.manage();
    let mut all = Vec::new();
    for typed in [None, Some("correct horse bättery")] {
        let receiver = Receiver::start(&[200]).await;
        let mut body = json!({"name": "W", "url": receiver.url(), "events": ["syncRequested"]});
        if let Some(typed) = typed {
            body["secret"] = typed.into();
        }
        let mut shown = client.post("/webhooks", &body).await.expect(201);
        let path = format!("/webhooks/{}", shown.data()["id"].as_str().expect("an id"));
        let mut secrets = Vec::new();
        for place in 0..2 {
            let text = |name: &str| shown.data()[name].as_str().expect("a text").to_owned();
            secrets.push((text("secret"), text("whsec_secret")));
            let _sent = client.trigger(&format!("{path}/test")).await.expect(200);
            let request = receiver.requests()[place].clone();
            all.push(Delivered { request, secrets: secrets.clone() });
            shown = client.trigger(&format!("{path}/rotate-secret")).await.expect(200);
        }
    }
    all
}

/// Runs a program with this standard input, and returns whether it succeeded.
fn accepts(command: &mut Command, input: &[u8]) -> bool {
    let spawned =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.expect("it starts");
    child.stdin.take().expect("its input").write_all(input).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    output.stderr.is_empty() && output.status.success()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_snippets_only_accept_real_deliveries() {
    with_hub(async |hub| {
        let all = delivered(hub).await;
        tokio::task::block_in_place(|| {
            for snippet in ["verify.py", "verify.mjs", "verify.go", "verify.php"] {
                let Some(words) = program(snippet) else { continue };
                for one in &all {
                    for (secret, _) in &one.secrets {
                        let run = |secret: &str, body: &str| {
                            let mut command = Command::new(&words[0]);
                            command.args(&words[1..]).args(one.service_signatures());
                            accepts(command.env("WEBHOOK_SECRET", secret), body.as_bytes())
                        };
                        assert!(run(secret, &one.request.body), "{snippet} {secret}");
                        assert!(!run(secret, &one.changed()), "{snippet}: a changed byte");
                        assert!(!run("another secret, quite long", &one.request.body), "{snippet}");
                    }
                }
            }
        });
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_snippet_only_accepts_real_deliveries() {
    with_hub(async |hub| {
        for one in delivered(hub).await {
            let signatures = one.service_signatures();
            for (secret, _) in &one.secrets {
                assert!(verify::verify(secret, one.request.body.as_bytes(), &signatures));
                assert!(!verify::verify(secret, one.changed().as_bytes(), &signatures));
                assert!(!verify::verify("another", one.request.body.as_bytes(), &signatures));
                assert!(!verify::verify(secret, one.request.body.as_bytes(), &["", "0", "zz"]));
            }
        }
    })
    .await;
}

/// Whether the library accepts a delivery with this body.
fn library_in_rust(secret: &str, one: &Delivered, body: &str) -> bool {
    let pairs = one.headers().into_iter();
    let pairs = pairs.map(|(name, value)| (name.parse().expect(name), value.parse().expect(value)));
    let library = Webhook::new(secret).expect("the library takes the secret");
    library.verify(body.as_bytes(), &pairs.collect()).is_ok()
}

fn library_in_python(python: &Path, secret: &str, one: &Delivered, body: &str) -> bool {
    let headers: serde_json::Map<_, _> =
        one.headers().into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let input = json!({"body": body, "headers": headers}).to_string();
    accepts(Command::new(python).args(["-c", WITH_LIBRARY, secret]), input.as_bytes())
}

/// Verifies real deliveries with one library: fresh, modified, with another secret, and six minutes old. The libraries
/// use the machine's clock, so the hub's clock is set back for the last of these.
async fn validate(verifies: impl Fn(&str, &Delivered, &str) -> bool) {
    with_hub(async |hub| {
        let (fresh, old) = {
            let fresh = delivered(hub).await;
            hub.clock.advance(-360);
            (fresh, delivered(hub).await)
        };
        tokio::task::block_in_place(|| {
            for one in &fresh {
                for (_, secret) in &one.secrets {
                    assert!(verifies(secret, one, &one.request.body));
                    assert!(!verifies(secret, one, &one.changed()), "a changed byte");
                    let another = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
                    assert!(!verifies(another, one, &one.request.body), "another secret");
                }
            }
            for one in &old {
                for (_, secret) in &one.secrets {
                    assert!(!verifies(secret, one, &one.request.body), "six minutes old");
                }
            }
        });
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rust_library_only_accepts_real_deliveries() {
    validate(library_in_rust).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_library_only_accepts_real_deliveries() {
    let Some(python) = tokio::task::block_in_place(python_with_library) else {
        eprintln!("skipped: {LIBRARY} cannot be installed");
        return;
    };
    validate(|secret, one, body| library_in_python(python, secret, one, body)).await;
}

/// A Python with the library, in a virtual environment below the target directory.
fn python_with_library() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let environment = target().join("python");
        let python = environment.join("bin/python");
        let runs = |command: &mut Command| command.output().is_ok_and(|it| it.status.success());
        let has_library = || runs(Command::new(&python).args(["-c", "import standardwebhooks"]));
        let installed = || {
            runs(Command::new("python3").args(["-m", "venv"]).arg(&environment))
                && runs(Command::new(&python).args(["-m", "pip", "install", "--quiet", LIBRARY]))
        };
        (has_library() || (installed() && has_library())).then(|| python.clone())
    });
    python.as_deref()
}

/// Secrets that a sender who does not know the secret could sign with.
const NO_SECRETS: [&str; 2] = ["", "fifteen letters"];

fn signed_with(secret: &str, body: &[u8]) -> String {
    use hmac::{Hmac, KeyInit, Mac};
    let mac = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    let bytes = mac.chain_update(body).finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

#[test]
fn no_snippet_accepts_an_empty_or_short_secret() {
    let body = b"{}";
    for secret in NO_SECRETS {
        let signature = signed_with(secret, body);
        assert!(!verify::verify(secret, body, &[&signature]));
        for snippet in ["verify.py", "verify.mjs", "verify.go", "verify.php"] {
            let Some(words) = program(snippet) else { continue };
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).arg(&signature).env("WEBHOOK_SECRET", secret);
            assert!(!accepts(&mut command, body), "{snippet} {secret:?}");
        }
    }
}
