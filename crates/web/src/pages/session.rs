//! From the session's cookie to the person.

use actix_web::HttpRequest;

use contact_hub_domain::access::{self, AccessError, Caller};

use super::address::Address;
use crate::error::ApiError;
use crate::state::WebState;

/// The person's caller and email, while the session lasts.
pub(crate) async fn find(
    state: &WebState,
    token: &str,
) -> Result<Option<(Caller, String)>, ApiError> {
    match access::authenticate(&state.ports, token).await {
        Ok(holder) => Ok(Some((holder.caller.clone(), "you".to_owned()))),
        Err(AccessError::Unauthenticated) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Where to sign in, and come back from.
pub(crate) fn sign_in_location(request: &HttpRequest) -> String {
    let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
    if path == "/" || request.method() != actix_web::http::Method::GET {
        return "/sign-in".to_owned();
    }
    Address::default().with("next", path).href("/sign-in")
}
