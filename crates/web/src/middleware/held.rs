//! Checks the caller of a call that waited again before the call is answered: the caller's rights may have ended in the
//! meantime.

use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use contact_hub_domain::access::{Need, authenticate_again};

use super::guard::bearer;
use crate::error::{ApiError, Code};
use crate::state::WebState;

/// A key is cached for this long anyway, so the caller of a shorter call is not checked again.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Passes a request on, and rejects it afterwards if its key was revoked while it waited.
pub(crate) async fn held(
    need: Need,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let state = request.app_data::<web::Data<WebState>>().cloned();
    let token = bearer(request.headers()).map(str::to_owned);
    let began = Instant::now();
    let response = next.call(request).await?;
    if began.elapsed() < AT_ONCE {
        return Ok(response.map_into_left_body());
    }
    let again = match state.zip(token) {
        Some((state, token)) => {
            authenticate_again(&state.ports.access, &token, need).await.map_err(ApiError::from)
        }
        None => Err(Code::InternalError.into()),
    };
    Ok(match again {
        Ok(()) => response.map_into_left_body(),
        Err(error) => response.error_response(error).map_into_right_body(),
    })
}
