//! The service under attack. Each attack has a fresh process, so that its peak memory is that of the attack.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bench::company;
use crate::database::ThrowawayPostgres;
use crate::instance::Instance;
use crate::process;
use crate::service::write_key_file;

/// How long a client of an attack waits for an answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running service with the attacking company and another one.
pub(super) struct Target {
    /// Killed at the end.
    _instance: Mutex<Instance>,
    id: String,
    base: String,
    /// The key of the attacking company.
    pub(super) key: String,
    /// A key of another company.
    pub(super) other_key: String,
    http: reqwest::Client,
    _directory: TempDir,
}

/// A signed-in user.
pub(super) struct Session {
    cookies: String,
    token: String,
}

impl Target {
    /// Starts the program on an empty database: on the server if there is one, else on a new file.
    pub(super) async fn start(
        program: &Path,
        postgres: Option<(&ThrowawayPostgres, &str)>,
        flags: &[&str],
    ) -> Result<(Arc<Self>, Session)> {
        let directory = TempDir::new()?;
        let key_file = write_key_file(directory.path())?;
        let database = match postgres {
            Some((postgres, name)) => {
                postgres.sql("postgres", &format!("CREATE DATABASE {name}"))?;
                postgres.url_of(name)
            }
            None => format!("sqlite://{}", directory.path().join("hub.db").display()),
        };
        let key_file = key_file.display().to_string();
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--log", "off", "--secret-key-file"];
        let input = [key_file.as_str(), "--database-url", &database];
        let arguments = fixed.iter().chain(&input).chain(flags).map(|word| (*word).to_owned());
        let log = directory.path().join("log");
        let instance = Instance::start(program, &arguments.collect::<Vec<_>>(), &log)?;
        let key = instance.line_after("API key")?;
        let link = instance.line_after("sign in")?;
        let other_key = company::create(program, &database, &["contacts_api"])?;
        let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE);
        let http = http.redirect(reqwest::redirect::Policy::none()).build()?;
        let (id, base) = (instance.id(), instance.base.clone());
        let instance = Mutex::new(instance);
        let target =
            Self { _instance: instance, id, base, key, other_key, http, _directory: directory };
        let session = target.sign_in(&link).await?;
        Ok((Arc::new(target), session))
    }

    /// Its peak resident memory so far, in megabytes.
    pub(super) fn peak_megabytes(&self) -> Result<f64> {
        process::peak_megabytes(&self.id)
    }

    /// Its process id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Its address, without the scheme.
    pub(super) fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// A request with the attacker's key.
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.key)
    }

    /// A request from a page, with a session.
    pub(super) fn page(&self, session: &Session, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        request.header(COOKIE, &session.cookies)
    }

    /// A request without credentials.
    pub(super) fn stranger(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base))
    }

    /// Creates something by the management or the contacts interface and returns its id.
    pub(super) async fn create(&self, path: &str, body: &Value) -> Result<String> {
        let answer = self.request(Method::POST, path).json(body).send().await?;
        let status = answer.status();
        let body: Value = answer.json().await?;
        let id = body.pointer("/data/id").and_then(Value::as_str);
        id.map(str::to_owned).with_context(|| format!("{path} was answered {status}: {body}"))
    }

    async fn sign_in(&self, link: &str) -> Result<Session> {
        let answer = self.http.post(link).send().await?;
        let cookies = cookies_of(&answer);
        ensure!(!cookies.is_empty(), "the link does not sign in: {}", answer.status());
        let session = Session { cookies, token: String::new() };
        let page = self.page(&session, Method::GET, "/account").send().await?.text().await?;
        let (_, rest) = page.split_once("name=\"csrf_token\"").context("a page without a token")?;
        let (_, value) = rest.split_once("value=\"").context("a token without a value")?;
        let token = value.split('"').next().unwrap_or_default().to_owned();
        Ok(Session { token, ..session })
    }
}

impl Session {
    /// The token that a form sends.
    pub(super) fn token(&self) -> &str {
        &self.token
    }
}

fn cookies_of(answer: &Response) -> String {
    let lines = answer.headers().get_all(SET_COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.filter_map(|line| line.split(';').next());
    pairs.collect::<Vec<_>>().join("; ")
}

/// The body of an asset with this HTML.
pub(super) fn asset(html: &str) -> Value {
    json!({"name": "Attack", "type": "email", "subject": "Attack", "html": html})
}
