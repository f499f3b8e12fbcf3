//! The client: its settings, and how requests are sent.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use backon::Retryable as _;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Request, Response};
use url::Url;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::retries::retry_after;
use crate::{AnswerError, Error, Retries};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// How long an attempt may take.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The longest answer that is kept in memory, in bytes.
const LONGEST_ANSWER: usize = 64 << 20;

/// The longest answer with an error, in bytes.
const LONGEST_ERROR: usize = 1 << 20;

/// The announcement by the service that an operation will end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation<'a> {
    /// The method that was called.
    pub method: &'a str,
    /// The path that was called.
    pub path: &'a str,
    /// The day of the end as an HTTP date, once it is fixed.
    pub sunset: Option<&'a str>,
}

type OnDeprecated = Arc<dyn Fn(Deprecation<'_>) + Send + Sync>;

/// A client of one service with one API key. Clones share its connections.
#[derive(Clone)]
pub struct ContactHub {
    http: reqwest::Client,
    pub(crate) base: Url,
    pub(crate) authorization: HeaderValue,
    pub(crate) retries: Retries,
    pub(crate) timeout: Duration,
    pub(crate) longest_answer: usize,
    on_deprecated: Option<OnDeprecated>,
}

/// An answer that was read to its end.
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl ContactHub {
    /// Creates a client of the service at this address, such as `https://hub.example`.
    pub fn new(base_url: &str, api_key: &str) -> Result<Self, Error> {
        let base = Url::parse(base_url).ok().filter(is_base).ok_or(Error::Settings(
            "the address of the service must be http or https, without a user or a query",
        ))?;
        let is_key = !api_key.is_empty() && api_key.bytes().all(|byte| byte.is_ascii_graphic());
        let header = HeaderValue::from_str(&format!("Bearer {api_key}"));
        let mut authorization = header
            .ok()
            .filter(|_| is_key)
            .ok_or(Error::Settings("the API key must consist of visible ASCII characters"))?;
        authorization.set_sensitive(true);
        Ok(Self {
            http: http().map_err(Error::Http)?,
            base,
            authorization,
            retries: Retries::default(),
            timeout: TIMEOUT,
            longest_answer: LONGEST_ANSWER,
            on_deprecated: None,
        })
    }

    /// Sets when calls are tried again.
    #[must_use]
    pub const fn with_retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Sets how long one attempt may take, 60 seconds by default. For an export it is the longest pause between two parts;
    /// [`Self::changes`] adds the 25 seconds for which the service waits for a change.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the longest answer that is read, in bytes, 64 MiB by default. For an export it is the longest line.
    #[must_use]
    pub const fn with_longest_answer(mut self, bytes: usize) -> Self {
        self.longest_answer = bytes;
        self
    }

    /// Sets a function that receives a warning for each answer that announces the end of its operation.
    #[must_use]
    pub fn with_deprecation_warnings(
        mut self,
        warn: impl Fn(Deprecation<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.on_deprecated = Some(Arc::new(warn));
        self
    }

    /// Sends a request until it succeeds, cannot succeed, or was tried often enough.
    pub(crate) async fn answer(&self, request: &Request) -> Result<Answer, Error> {
        let attempt = async || {
            self.in_time(async {
                let mut response = self.send(request).await?;
                let body = read(&mut response, self.longest_answer).await?;
                Ok(Answer { headers: response.headers().clone(), body })
            })
            .await
        };
        attempt
            .retry(self.retries.pauses())
            .adjust(|error, pause| self.retries.after(error, pause))
            .await
    }

    /// Sends a request once. An answer that is no success is an error.
    pub(crate) async fn send(&self, request: &Request) -> Result<Response, Error> {
        // Only a body that is a stream cannot be cloned.
        let copy = request.try_clone().ok_or(Error::Settings("the body cannot be sent again"))?;
        let mut response = self.http.execute(copy).await?;
        self.warn(request, response.headers());
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let request_id = text(response.headers(), &REQUEST_ID);
        let asked = text(response.headers(), &RETRY_AFTER);
        let asked = asked.and_then(|text| retry_after(&text, now()));
        // The status says enough when the body cannot be read.
        let body = read(&mut response, LONGEST_ERROR).await.unwrap_or_default();
        let answer = AnswerError::read(status, request_id, asked, &body);
        Err(Error::Answer(Box::new(answer)))
    }

    /// Limits how long something takes.
    pub(crate) async fn in_time<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        tokio::time::timeout(self.timeout, work).await.unwrap_or(Err(Error::Timeout))
    }

    fn warn(&self, request: &Request, headers: &HeaderMap) {
        if let Some(warn) = &self.on_deprecated
            && headers.contains_key("deprecation")
        {
            let sunset = headers.get("sunset").and_then(|it| it.to_str().ok());
            let (method, path) = (request.method().as_str(), request.url().path());
            warn(Deprecation { method, path, sunset });
        }
    }
}

impl fmt::Debug for ContactHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContactHub").field("base", &self.base.as_str()).finish_non_exhaustive()
    }
}

/// The connections. A redirect is not followed, so that the key is sent to no other address.
fn http() -> reqwest::Result<reqwest::Client> {
    let builder = || {
        reqwest::Client::builder()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .user_agent(concat!("contact-hub-client/", env!("CARGO_PKG_VERSION")))
    };
    // A system without certificates of authorities, such as a small container, uses Mozilla's list.
    builder().build().or_else(|_no_certificates| {
        let list = TLS_SERVER_ROOT_CERTS.iter().map(|der| Certificate::from_der(der));
        builder().tls_certs_only(list.collect::<Result<Vec<_>, _>>()?).build()
    })
}

/// Reads an answer to its end.
async fn read(response: &mut Response, limit: usize) -> Result<Vec<u8>, Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len().saturating_add(chunk.len()) > limit {
            return Err(Error::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The text of a header.
pub(crate) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

#[expect(clippy::disallowed_methods, reason = "a client has no clock but the system's")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

fn is_base(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none()
}

#[cfg(test)]
mod tests {
    use super::ContactHub;

    #[test]
    fn invalid_settings_are_errors_without_the_key() {
        for (url, key) in [
            ("hub.example", "key"),
            ("ftp://hub.example", "key"),
            ("https://user:secret@hub.example", "key"),
            ("https://hub.example?secret", "key"),
            ("https://hub.example", ""),
            ("https://hub.example", "sec ret"),
            ("https://hub.example", "secr\u{e9}t"),
            ("https://hub.example", "secret\n"),
        ] {
            let error = ContactHub::new(url, key).expect_err("it cannot work");
            assert!(!format!("{error:?}").contains("secr"), "{error:?}");
        }
        let hub = ContactHub::new("https://hub.example", "secret").expect("a client");
        assert!(!format!("{hub:?}").contains("secret"));
    }
}
