//! Emails as received by aiosmtpd, a mail server in Python that shares no code with the service.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver as Lines, channel};

use contact_hub_tests::{Authority, Receiver, with_settings};
use serde_json::Value;
use tempfile::TempDir;

use super::{COLLECTED, SOON, mailing_by, switched_off, user};

const USER: &str = "hub@hub.example";
const PASSWORD: &str = "sécret: with space";

/// The running server, which exits when its standard input is closed.
struct Aiosmtpd {
    process: Child,
    input: Option<ChildStdin>,
    lines: Lines<String>,
    port: String,
    directory: TempDir,
}

impl Drop for Aiosmtpd {
    fn drop(&mut self) {
        drop(self.input.take());
        self.process.wait().ok();
    }
}

impl Aiosmtpd {
    /// Starts it with a certificate for `localhost`; `None` where `cargo xtask test` did not install it.
    fn start(authority: &Authority) -> Option<Self> {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let installed = tests.join("../target/aiosmtpd");
        if !installed.join("installed.txt").exists() {
            return None;
        }
        let directory = TempDir::new().expect("a temporary directory");
        let file = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path
        };
        let (certificate, key) = authority.sign("localhost");
        file("authority.pem", authority.certificate());
        let mut command = Command::new(installed.join("bin/python"));
        command.arg(tests.join("it/alerts/aiosmtpd/server.py"));
        command.args([file("certificate.pem", &certificate), file("key.pem", &key)]);
        command.args([USER, PASSWORD]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let input = process.stdin.take();
        let out = BufReader::new(process.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        let first = lines.recv_timeout(SOON).expect("a first line");
        let port = first.strip_prefix("port ").expect(&first).to_owned();
        Some(Self { process, input, lines, port, directory })
    }

    fn url(&self) -> String {
        let login = "hub%40hub.example:s%C3%A9cret%3A%20with%20space";
        format!("smtp://{login}@localhost:{}?tls=required", self.port)
    }

    fn trusted(&self) -> PathBuf {
        self.directory.path().join("authority.pem")
    }

    /// The next email.
    fn mail(&self) -> Value {
        let line = self.lines.recv_timeout(SOON).expect("an email");
        serde_json::from_str(&line).expect("JSON")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_independent_mail_server_receives_emails_correctly() {
    let Some(server) = Aiosmtpd::start(&Authority::new("the authority of the test")) else {
        eprintln!("skipped: `cargo xtask test` installs aiosmtpd where Python is");
        return;
    };
    let receiver = Receiver::start(&[410]).await;
    with_settings(mailing_by(server.url(), server.trusted()), async |hub| {
        let (_browser, client) = user(hub).await;
        let name = "Größe & <Maß>, a name that is too long for one line of a header of an email";
        let id = switched_off(&client, &receiver, name, "ann@example.com").await;
        hub.clock.advance(COLLECTED);
        let mail = tokio::task::block_in_place(|| server.mail());
        assert_eq!(mail["tls"], true);
        assert_eq!(mail["from"], "hub@hub.example");
        assert_eq!(mail["to"], serde_json::json!(["api@acme.example"]));
        assert_eq!(mail["subject"], format!("The webhook \"{name}\" was switched off (Acme)"));
        assert_eq!(mail["type"], "multipart/alternative");
        assert_eq!(mail["date"], true);
        assert_eq!(mail["defects"], serde_json::json!([]), "{mail}");
        let text = mail["parts"]["text/plain"].as_str().expect("a text");
        let link = format!("https://hub.example/admin/integrations/webhooks/{id}");
        assert!(text.contains(name) && text.contains(&link), "{text}");
        let html = mail["parts"]["text/html"].as_str().expect("a page");
        assert!(
            html.contains(&link) && html.contains("Größe") && !html.contains("<Maß>"),
            "{html}"
        );
    })
    .await;
}
