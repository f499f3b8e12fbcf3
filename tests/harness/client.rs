//! A client of one company.

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::company::Made;

/// The base path of the contacts interface.
const CONTACTS: &str = "/api/public/v1";

/// The base path of the management interface.
const MANAGE: &str = "/api/manage/v1";

/// The base path of the interface for custom platforms.
const PUBLISHED: &str = "/api/published/v1";

/// Calls an interface with one key, initially the contacts interface.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    interface: &'static str,
    /// The company, user and key that it uses.
    pub made: Made,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as received.
    pub text: String,
    /// The body as JSON, null when it is empty.
    pub json: Value,
}

impl Client {
    pub(crate) const fn new(http: reqwest::Client, base: String, made: Made) -> Self {
        Self { http, base, interface: CONTACTS, made }
    }

    /// The same key on the management interface.
    #[must_use]
    pub fn manage(&self) -> Self {
        Self { interface: MANAGE, ..self.clone() }
    }

    /// The same key on another instance of the service.
    #[must_use]
    pub fn at(&self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self.clone() }
    }

    /// The base path of the interface.
    #[must_use]
    pub const fn interface(&self) -> &'static str {
        self.interface
    }

    /// The same key on the interface for custom platforms.
    #[must_use]
    pub fn published(&self) -> Self {
        Self { interface: PUBLISHED, ..self.clone() }
    }

    /// The address of a path of the interface.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{}{path}", self.base, self.interface)
    }

    /// A request with the key, to be completed and sent with [`Answer::of`].
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.url(path)).bearer_auth(&self.made.token)
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path)).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request(Method::POST, path).json(body)).await
    }

    /// POST with a JSON body as text, for JSON that a library does not produce.
    pub async fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let request = self.request(Method::POST, path).header(CONTENT_TYPE, "application/json");
        Answer::of(request.body(body)).await
    }

    /// PUT with a JSON body.
    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request(Method::PUT, path).json(body)).await
    }

    /// PATCH with a JSON body.
    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request(Method::PATCH, path).json(body)).await
    }

    /// POST without a body.
    pub async fn trigger(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::POST, path)).await
    }

    /// DELETE without a body.
    pub async fn delete(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::DELETE, path)).await
    }

    /// DELETE with a JSON body.
    pub async fn delete_with(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request(Method::DELETE, path).json(body)).await
    }

    /// Creates a field and returns its key.
    pub async fn field(&self, name: &str, kind: &str) -> String {
        let body = serde_json::json!({"name": name, "type": kind});
        let answer = self.post("/fields", &body).await.expect(201);
        answer.json["data"]["key"].as_str().expect("a key").to_owned()
    }
}

impl Answer {
    /// Sends a request.
    pub async fn of(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.expect("a body");
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status: StatusCode::as_u16(&status), headers, text, json }
    }

    /// Fails the test unless the status is this one.
    #[must_use]
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// Fails the test unless it is an application error with this status and code, in exactly that envelope.
    #[track_caller]
    #[expect(
        clippy::must_use_candidate,
        clippy::return_self_not_must_use,
        reason = "often the last word of a test"
    )]
    pub fn expect_error(self, status: u16, code: &str) -> Self {
        let answer = self.expect(status);
        let error = &answer.json["error"];
        assert_eq!(error["code"], code, "{}", answer.text);
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()));
        assert_eq!(answer.json.as_object().expect("an object").len(), 1, "{}", answer.text);
        answer
    }

    /// Fails the test unless it is a validation error of exactly these fields.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "often the last word of a test")]
    pub fn expect_invalid(self, fields: &[&str]) -> Self {
        let answer = self.expect(422);
        let errors = answer.json["errors"].as_array().expect("errors");
        assert_eq!(errors.len(), 1, "{}", answer.text);
        assert_eq!(errors[0]["identifier"], "ValidationError");
        assert!(errors[0]["details"].is_string() && answer.json["error_at"].is_string());
        let meta = errors[0]["meta"].as_object().expect("meta");
        let mut named: Vec<&str> = meta.keys().map(String::as_str).collect();
        let mut fields = fields.to_vec();
        named.sort_unstable();
        fields.sort_unstable();
        assert_eq!(named, fields, "{}", answer.text);
        assert!(meta.values().all(|messages| messages.as_array().is_some_and(|m| !m.is_empty())));
        answer
    }

    /// The payload.
    #[must_use]
    pub fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// A header's text, empty when absent.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
