//! The ids in a path.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

/// The path's `{id}` as it was sent; a malformed one is an unknown one, so each resource parses it for itself.
pub(crate) struct PathId(String);

impl PathId {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromRequest for PathId {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.match_info().get("id").unwrap_or_default().to_owned())))
    }
}

/// The path's `{key_id}` as it was sent, where there is a second id.
pub(crate) struct PathKeyId(String);

impl PathKeyId {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromRequest for PathKeyId {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.match_info().get("key_id").unwrap_or_default().to_owned())))
    }
}
