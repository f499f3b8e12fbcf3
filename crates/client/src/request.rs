//! The request of a call.

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, IF_MATCH};
use serde::Serialize;
use url::Url;

use crate::Error;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The method of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates something, or starts it.
    Post,
    /// Changes.
    Patch,
    /// Replaces.
    Put,
    /// Deletes.
    Delete,
}

impl Method {
    /// Whether repeating a call of this method has to be made safe by an idempotency key.
    const fn takes_key(self) -> bool {
        matches!(self, Self::Post | Self::Patch)
    }
}

impl From<Method> for reqwest::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Post => Self::POST,
            Method::Patch => Self::PATCH,
            Method::Put => Self::PUT,
            Method::Delete => Self::DELETE,
        }
    }
}

/// A call of an operation, before it is sent.
pub(crate) struct Request {
    pub(crate) method: Method,
    path: Vec<String>,
    query: Vec<(String, String)>,
    body: Result<Option<Vec<u8>>, serde_json::Error>,
    idempotency_key: Option<String>,
    if_match: Option<String>,
}

impl Request {
    /// Each part of the path is one segment, regardless of its content.
    pub(crate) fn new<S: Into<String>>(method: Method, path: impl IntoIterator<Item = S>) -> Self {
        let path = path.into_iter().map(Into::into).collect();
        Self {
            method,
            path,
            query: Vec::new(),
            body: Ok(None),
            idempotency_key: None,
            if_match: None,
        }
    }

    pub(crate) fn query(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.query.push((name.into(), value.into()));
    }

    pub(crate) fn body(&mut self, body: &(impl Serialize + ?Sized)) {
        self.body = serde_json::to_vec(body).map(Some);
    }

    pub(crate) fn idempotency_key(&mut self, key: String) {
        self.idempotency_key = Some(key);
    }

    pub(crate) fn if_match(&mut self, etag: String) {
        self.if_match = Some(etag);
    }

    /// The request of every attempt. Its idempotency key is made here, once.
    pub(crate) fn prepared(
        self,
        base: &Url,
        authorization: &HeaderValue,
        accept: &'static str,
    ) -> Result<reqwest::Request, Error> {
        let mut prepared = reqwest::Request::new(self.method.into(), self.url(base)?);
        let headers = prepared.headers_mut();
        headers.insert(AUTHORIZATION, authorization.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        let value = |text: &str| {
            HeaderValue::from_str(text)
                .map_err(|_invalid| Error::Settings("a header has characters that are not allowed"))
        };
        if let Some(key) = &self.idempotency_key {
            headers.insert(IDEMPOTENCY_KEY, value(key)?);
        } else if self.method.takes_key() {
            headers.insert(IDEMPOTENCY_KEY, value(&random_key()?)?);
        }
        if let Some(etag) = &self.if_match {
            headers.insert(IF_MATCH, value(etag)?);
        }
        if let Some(body) = self.body.map_err(Error::Body)? {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *prepared.body_mut() = Some(body.into());
        }
        Ok(prepared)
    }

    fn url(&self, base: &Url) -> Result<Url, Error> {
        let is_segment = |segment: &String| !matches!(segment.as_str(), "" | "." | "..");
        if !self.path.iter().all(is_segment) {
            return Err(Error::Settings(
                "an id or a part of a path must not be empty, `.` or `..`",
            ));
        }
        let mut url = base.clone();
        match url.path_segments_mut() {
            Ok(mut segments) => segments.pop_if_empty().extend(&self.path),
            Err(()) => {
                return Err(Error::Settings("the address of the service must be http or https"));
            }
        };
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        Ok(url)
    }
}

fn random_key() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|_unavailable| Error::Settings("the operating system gives no random numbers"))?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::header::HeaderValue;
    use url::Url;

    use super::{IDEMPOTENCY_KEY, Method, Request};

    fn base() -> Url {
        Url::parse("https://hub.example").expect("an address")
    }

    #[test]
    fn a_path_is_appended_to_the_address() {
        let mut request = Request::new(Method::Get, ["a", "b/c"]);
        request.query("page[after]", "x y");
        for (base, expected) in [
            ("https://hub.example", "https://hub.example/a/b%2Fc?page%5Bafter%5D=x+y"),
            ("https://hub.example/in/", "https://hub.example/in/a/b%2Fc?page%5Bafter%5D=x+y"),
        ] {
            let base = Url::parse(base).expect("an address");
            assert_eq!(request.url(&base).expect("an address").as_str(), expected);
        }
        for segment in ["", ".", ".."] {
            assert!(Request::new(Method::Get, ["a", segment]).url(&base()).is_err(), "{segment}");
        }
    }

    #[test]
    fn a_post_or_patch_gets_a_key_unless_it_has_one() {
        let key = |mut request: Request, own: Option<&str>| {
            if let Some(own) = own {
                request.idempotency_key(own.to_owned());
            }
            let authorization = HeaderValue::from_static("Bearer key");
            let prepared = request.prepared(&base(), &authorization, "application/json");
            let headers = prepared.expect("a request").headers().clone();
            headers.get(IDEMPOTENCY_KEY).map(|key| key.to_str().expect("a text").to_owned())
        };
        for method in [Method::Post, Method::Patch] {
            let one = key(Request::new(method, ["a"]), None).expect("a key");
            assert_eq!(one.len(), 32);
            assert_ne!(key(Request::new(method, ["a"]), None), Some(one));
            assert_eq!(key(Request::new(method, ["a"]), Some("own")).as_deref(), Some("own"));
        }
        assert_eq!(key(Request::new(Method::Put, ["a"]), None), None);
    }

    proptest! {
        #[test]
        fn any_segment_stays_a_single_segment(segment in "\\PC{1,20}") {
            prop_assume!(segment != "." && segment != "..");
            let url = Request::new(Method::Get, ["contacts", &segment]).url(&base()).expect("an address");
            prop_assert_eq!(url.host_str(), Some("hub.example"));
            prop_assert_eq!(url.path_segments().expect("segments").count(), 2);
            prop_assert!(url.query().is_none() && url.fragment().is_none());
        }
    }
}
