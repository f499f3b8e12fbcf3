//! `GET /sign-in/oidc/{provider}/callback`: a browser comes back from an identity provider.

use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};

use contact_hub_domain::access::{self, OidcAnswer, OidcFinished, SessionHolder};

use super::failed::failed;
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::access::browser::signing_in;
use crate::pages::access::sign_in::{begun, end_previous};
use crate::pages::address::Address;
use crate::pages::caller::Person;
use crate::pages::{cookies, respond, session};
use crate::state::WebState;

pub(crate) async fn handle(
    state: web::Data<WebState>,
    request: HttpRequest,
    provider: web::Path<String>,
) -> Answer {
    let is_secure = cookies::is_secure(&state, &request);
    let mut response = finish(&state, &request, &provider, is_secure).await?;
    // An answer counts once.
    response.add_cookie(&cookies::drop_oidc(is_secure)).ok();
    Ok(response)
}

async fn finish(
    state: &WebState,
    request: &HttpRequest,
    provider: &str,
    is_secure: bool,
) -> Result<HttpResponse, crate::error::ApiError> {
    let query = Address::of(request.query_string());
    let answer = OidcAnswer {
        state: query.get("state"),
        code: query.get("code"),
        issuer: query.get("iss"),
        error: query.get("error"),
        description: query.get("error_description"),
    };
    let secret = cookies::oidc(state, request).unwrap_or_default();
    let holder: Option<SessionHolder> =
        request.extensions().get::<Person>().map(|person| person.holder.clone());
    let (ports, address) = (&state.ports.access, Origin::of(request).address);
    let call = signing_in(request);
    let finished =
        access::finish_oidc(ports, provider, &secret, answer, holder.as_ref(), address, &call);
    match Box::pin(finished).await {
        Ok(OidcFinished::SignedIn(signed_in, next)) => {
            end_previous(state, request).await?;
            Ok(begun(is_secure, &signed_in, session::within(&next)))
        }
        Ok(OidcFinished::Confirmed(next)) => Ok(respond::see(session::within(&next))),
        Err(error) => failed(provider, error, holder.is_some()),
    }
}
