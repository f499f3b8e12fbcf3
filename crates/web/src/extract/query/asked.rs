//! The extractor of a query.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use utoipa::openapi::path::Parameter;

use contact_hub_domain::audit::AuditQuery;
use contact_hub_domain::changes::ChangesQuery;
use contact_hub_domain::fields::ValuesQuery;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync::ContentQuery;
use contact_hub_domain::webhooks::DeliveriesQuery;

use crate::endpoint::{Taken, Takes};
use crate::error::ApiError;
use crate::openapi::parameters;

/// A valid query.
pub(crate) struct Asked<Q>(pub(crate) Q);

/// A query that is read as it was sent.
pub trait FromQuery: Sized {
    /// The error for an invalid query.
    type Error;

    /// Reads the undecoded query of a request, without its question mark. Unknown parameters are ignored.
    fn from_query(raw: &str) -> Result<Self, Self::Error>;
}

/// A query whose parameters the document describes.
pub(crate) trait Described {
    /// The parameters.
    fn parameters() -> Vec<Parameter>;
}

impl<Q: FromQuery<Error: Into<ApiError>>> FromRequest for Asked<Q> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Q::from_query(request.query_string()).map(Self).map_err(Into::into))
    }
}

impl<Q: Described> Takes for Asked<Q> {
    fn describe(taken: &mut Taken) {
        taken.parameters.extend(Q::parameters());
    }
}

macro_rules! described {
    ($($query:ty, $parameters:ident;)+) => {$(
        impl Described for $query {
            fn parameters() -> Vec<Parameter> {
                parameters::$parameters()
            }
        }
    )+};
}

described! {
    AuditQuery, audit;
    ChangesQuery, changes;
    ContentQuery, content;
    DeliveriesQuery, deliveries;
    PageRequest, page;
    ValuesQuery, values;
}
