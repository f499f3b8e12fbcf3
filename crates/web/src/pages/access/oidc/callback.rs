//! `GET /sign-in/oidc/{provider}/callback`: a browser comes back from an identity provider.

use actix_web::{HttpMessage, HttpRequest, web};

use contact_hub_domain::access::{self, OidcAnswer, OidcError, OidcFinished, SessionHolder};

use super::failed::failed;
use super::require_visit;
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::access::browser::signing_in;
use crate::pages::access::sign_in::end_previous;
use crate::pages::access::signed_in::begun;
use crate::pages::address::Address;
use crate::pages::caller::Person;
use crate::pages::{cookies, respond, session};
use crate::state::WebState;

pub(crate) async fn handle(
    state: web::Data<WebState>,
    request: HttpRequest,
    provider: web::Path<String>,
) -> Answer {
    require_visit(&request)?;
    let is_secure = cookies::is_secure(&state, &request);
    let holder: Option<SessionHolder> =
        request.extensions().get::<Person>().map(|person| person.holder.clone());
    let mut response = match finish(&state, &request, &provider, holder.as_ref()).await {
        Ok(OidcFinished::SignedIn(signed_in, next)) => {
            end_previous(&state, &request).await?;
            begun(is_secure, &signed_in, session::within(&next))
        }
        Ok(OidcFinished::Confirmed(next)) => respond::see(session::within(&next)),
        // Another site can send the browser here too, which must not end a sign-in that is in progress.
        Err(OidcError::Over) => return failed(&provider, OidcError::Over, holder.is_some()),
        Err(error) => failed(&provider, error, holder.is_some())?,
    };
    // An answer is accepted only once.
    response.add_cookie(&cookies::drop_oidc(is_secure)).ok();
    Ok(response)
}

async fn finish(
    state: &WebState,
    request: &HttpRequest,
    provider: &str,
    holder: Option<&SessionHolder>,
) -> Result<OidcFinished, OidcError> {
    let query = Address::of(request.query_string());
    let answer = OidcAnswer {
        state: query.get("state"),
        code: query.get("code"),
        issuer: query.get("iss"),
        error: query.get("error"),
        description: query.get("error_description"),
    };
    let secret = cookies::oidc(state, request).unwrap_or_default();
    let (ports, address) = (&state.ports.access, Origin::of(request).address);
    let call = signing_in(request);
    Box::pin(access::finish_oidc(ports, provider, &secret, answer, holder, address, &call)).await
}
