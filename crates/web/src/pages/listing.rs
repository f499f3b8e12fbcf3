//! A list as its address requests it.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use contact_hub_domain::page::PageRequest;

use super::address::Address;
use crate::error::ApiError;
use crate::extract::query::FromQuery;

/// What is listed, by default a page, and the address from which links to other pages are made.
#[derive(Default)]
pub(crate) struct Listing<Q = PageRequest> {
    /// What is listed.
    pub(crate) query: Q,
    /// The address.
    pub(crate) address: Address,
}

impl<Q: FromQuery<Error: Into<ApiError>>> FromRequest for Listing<Q> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let raw = request.query_string();
        let query = Q::from_query(raw).map_err(Into::into);
        ready(query.map(|query| Self { query, address: Address::of(raw) }))
    }
}
