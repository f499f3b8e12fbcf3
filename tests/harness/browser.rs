//! A browser without rendering: cookies, forms and their token.

use std::collections::BTreeMap;
use std::sync::Mutex;

use contact_hub_domain::access::{self, LinkPurpose};
use contact_hub_domain::context::AccessPorts;
use contact_hub_domain::ids::UserId;
use reqwest::header::{ACCEPT, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder};

use crate::client::Answer;

/// Keeps cookies and sends forms. Redirects are followed only on request.
pub struct Browser {
    http: reqwest::Client,
    base: String,
    cookies: Mutex<BTreeMap<String, String>>,
    token: Mutex<String>,
}

impl Browser {
    /// A browser without cookies.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build();
        Self {
            http: http.expect("a client"),
            base: base.to_owned(),
            cookies: Mutex::default(),
            token: Mutex::default(),
        }
    }

    /// Signs a user in with a one-time link.
    pub async fn sign_in(&self, ports: &AccessPorts, user: UserId) {
        let link = access::create_link(ports, None, user, LinkPurpose::SignIn).await;
        self.follow(&link.expect("a link").url("")).await;
    }

    /// Signs in with the path of a one-time link.
    pub async fn follow(&self, path: &str) {
        let _ = self.post(path, &[]).await.expect(303);
        self.keep_token().await;
    }

    /// Stores the token of the session's forms, after signing in by other means.
    pub async fn keep_token(&self) {
        let page = self.get("/account").await.expect(200);
        let token = field(&page.text, "csrf_token").expect("a token");
        *self.token.lock().expect("no panic") = token;
    }

    /// The same session on another instance of the service.
    #[must_use]
    pub fn at(&self, base: &str) -> Self {
        let cookies = self.cookies.lock().expect("no panic").clone();
        Self {
            http: self.http.clone(),
            base: base.to_owned(),
            cookies: Mutex::new(cookies),
            token: Mutex::new(self.token()),
        }
    }

    /// The token of the session's forms.
    #[must_use]
    pub fn token(&self) -> String {
        self.token.lock().expect("no panic").clone()
    }

    /// A cookie that the browser keeps.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().expect("no panic").get(name).cloned()
    }

    /// A request with the cookies, to be completed and sent with [`Self::send`].
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let cookies = self.cookies.lock().expect("no panic");
        let line: Vec<String> =
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.http.request(method, format!("{}{path}", self.base));
        request.header(COOKIE, line.join("; ")).header(ACCEPT, "text/html,*/*")
    }

    /// Sends a request and keeps the cookies of the answer.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let answer = Answer::of(request).await;
        let mut cookies = self.cookies.lock().expect("no panic");
        for line in answer.headers.get_all(SET_COOKIE) {
            let line = line.to_str().expect("text");
            let pair = line.split(';').next().unwrap_or_default();
            let (name, value) = pair.split_once('=').expect("a cookie");
            if line.contains("Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// Opens a page.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// Sends a form with the session's token.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("csrf_token", &self.token()).extend_pairs(fields);
        let request = self.request(Method::POST, path);
        let kind = "application/x-www-form-urlencoded";
        self.send(request.header(CONTENT_TYPE, kind).body(form.finish())).await
    }

    /// Sends a form and follows its redirect.
    pub async fn done(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(path, fields).await.expect(303);
        let location = answer.headers[LOCATION].to_str().expect("text").to_owned();
        self.get(&location).await.expect(200)
    }
}

/// The value of the first input of this name on a page.
#[must_use]
pub fn field(page: &str, name: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!(" name=\"{name}\""))?;
    let (input, _) = rest.split_once('>')?;
    let (_, value) = input.split_once(" value=\"")?;
    Some(value.split('"').next()?.to_owned())
}
