//! One call of an operation with its options, and its reply.

use std::future::IntoFuture;
use std::marker::PhantomData;
use std::pin::Pin;

use reqwest::header::{ETAG, HeaderName};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hub::{Answer, text};
use crate::request::Request;
use crate::{ContactHub, Error, Method};

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A call that is made when it is awaited. `D` is the type of `data` in the answer, `M` that of `meta`.
#[must_use = "a call is made when it is awaited"]
pub struct Call<D, M = ()> {
    hub: ContactHub,
    request: Request,
    reply: PhantomData<fn() -> (D, M)>,
}

/// The answer of a call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reply<D, M = ()> {
    /// The requested data; `()` when the answer has no body.
    pub data: D,
    /// The metadata of a list, such as the next cursor.
    pub meta: M,
    /// The version of the object, for [`Call::if_match`].
    pub etag: Option<String>,
    /// Whether an earlier attempt with the same idempotency key had already executed the call.
    pub is_replayed: bool,
}

/// The body of an answer, read one level deep.
#[derive(Default, Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    meta: Option<&'a RawValue>,
}

impl ContactHub {
    /// Calls any operation of the service by its path, such as `["api", "manage", "v1", "webhooks"]`. Each part is one
    /// segment, regardless of its content.
    pub fn call<D, M>(
        &self,
        method: Method,
        path: impl IntoIterator<Item = impl Into<String>>,
    ) -> Call<D, M> {
        Call { hub: self.clone(), request: Request::new(method, path), reply: PhantomData }
    }
}

impl<D, M> Call<D, M> {
    /// Adds a parameter to the query. A name may be repeated.
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.request.query(name, value);
        self
    }

    /// Sets the body, which is sent as JSON.
    pub fn body(mut self, body: &(impl Serialize + ?Sized)) -> Self {
        self.request.body(body);
        self
    }

    /// Sets the key under which the service recognizes a repeated call. Without one, each POST and PATCH gets a random
    /// key, which is the same in all attempts of the call.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.request.idempotency_key(key.into());
        self
    }

    /// Makes the call only if the object still has this version, which is [`Reply::etag`]. Otherwise the answer is an
    /// error with status 412.
    pub fn if_match(mut self, etag: impl Into<String>) -> Self {
        self.request.if_match(etag.into());
        self
    }
}

impl<D: DeserializeOwned + 'static, M: DeserializeOwned + 'static> IntoFuture for Call<D, M> {
    type Output = Result<Reply<D, M>, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { hub, request, .. } = self;
        Box::pin(async move {
            let request = request.prepared(&hub.base, &hub.authorization, "application/json")?;
            Reply::read(&hub.answer(&request).await?)
        })
    }
}

impl<D: DeserializeOwned, M: DeserializeOwned> Reply<D, M> {
    fn read(answer: &Answer) -> Result<Self, Error> {
        let envelope: Envelope<'_> = match answer.body.as_slice() {
            [] => Envelope::default(),
            body => serde_json::from_slice(body).map_err(Error::Unreadable)?,
        };
        Ok(Self {
            data: member(envelope.data)?,
            meta: member(envelope.meta)?,
            etag: text(&answer.headers, &ETAG),
            is_replayed: answer.headers.contains_key(REPLAYED),
        })
    }
}

/// A member of the envelope. One that is absent is read as null, which `()` and `Option` accept.
fn member<T: DeserializeOwned>(raw: Option<&RawValue>) -> Result<T, Error> {
    serde_json::from_str(raw.map_or("null", RawValue::get)).map_err(Error::Unreadable)
}
