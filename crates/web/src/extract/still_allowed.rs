//! Checks the caller of a long answer again while it is written: the caller's rights may have ended in the meantime.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};

use contact_hub_domain::access::{Need, Permission, authenticate_again};

use crate::endpoint::{Taken, Takes};
use crate::error::{ApiError, Code};
use crate::middleware::bearer;
use crate::state::WebState;

/// The credential of a caller.
pub(crate) trait StillAllowed: 'static {
    /// Fails when the caller may no longer read contacts.
    async fn still_allowed(&self) -> Result<(), ApiError>;
}

/// The token of a call.
pub(crate) struct TokenOfCall {
    state: web::Data<WebState>,
    token: String,
}

impl StillAllowed for TokenOfCall {
    async fn still_allowed(&self) -> Result<(), ApiError> {
        let need = Need::Product(Permission::ContactsApi);
        Ok(authenticate_again(&self.state.ports.access, &self.token, need).await?)
    }
}

impl FromRequest for TokenOfCall {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<WebState>>().cloned();
        let token = bearer(request.headers()).map(str::to_owned);
        let call = state.zip(token).map(|(state, token)| Self { state, token });
        ready(call.ok_or_else(|| Code::Unauthenticated.into()))
    }
}

impl Takes for TokenOfCall {
    fn describe(_taken: &mut Taken) {}
}
