//! The query of a request.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use utoipa::openapi::path::Parameter;

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::fields::ValuesQuery;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::sync::{ContentQuery, SyncError};
use contact_hub_domain::violations::Violations;
use contact_hub_domain::webhooks::DeliveriesQuery;

use crate::endpoint::{Taken, Takes};
use crate::error::ApiError;
use crate::openapi::parameters;

/// A valid query.
pub(crate) struct Asked<Q>(pub(crate) Q);

/// Reads a query as it was sent.
pub(crate) trait FromQuery: Sized {
    /// The error for an invalid query.
    type Error: Into<ApiError>;

    fn from_query(raw: &str) -> Result<Self, Self::Error>;

    /// Its parameters, as the document describes them.
    fn parameters() -> Vec<Parameter>;
}

impl<Q: FromQuery> FromRequest for Asked<Q> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Q::from_query(request.query_string()).map(Self).map_err(Into::into))
    }
}

impl<Q: FromQuery> Takes for Asked<Q> {
    fn describe(taken: &mut Taken) {
        taken.parameters.extend(Q::parameters());
    }
}

macro_rules! queries {
    ($($query:ty, $error:ty, $parameters:ident;)+) => {$(
        impl FromQuery for $query {
            type Error = $error;

            fn from_query(raw: &str) -> Result<Self, $error> {
                Self::parse(raw)
            }

            fn parameters() -> Vec<Parameter> {
                parameters::$parameters()
            }
        }
    )+};
}

queries! {
    ContentQuery, SyncError, content;
    DeliveriesQuery, Violations, deliveries;
    ListQuery, Violations, contacts;
    PageRequest, Violations, page;
    ValuesQuery, Violations, values;
}
