//! Calls with an idempotency key: a call is executed once, and a repetition gets the answer of the first.
//!
//! This runs behind the guard, so an answer that the guard gives is not kept. The whole body is read before the call
//! begins, since it is part of the request that is compared.

use std::sync::Arc;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, web};
use metrics::counter;
use sha2::{Digest, Sha256};
use tracing::Instrument as _;

use contact_hub_domain::access::KeyHolder;
use contact_hub_domain::idempotency::{self, Begun, Fingerprint, IdempotencyKey, LookUp, Running};
use contact_hub_domain::violations::Violations;

use super::kept;
use super::render::render;
use crate::error::{ApiError, Code};
use crate::extract::{Arrival, Arrived, CallPorts, party};
use crate::header_names::IDEMPOTENCY_KEY;
use crate::state::WebState;

/// A body of at least this size is hashed on the threads for heavy work.
const LARGE: usize = 256 << 10;

/// How the calls with a key of one operation are executed.
#[derive(Clone, Copy)]
pub(crate) struct Once {
    /// The largest body, in bytes.
    pub(crate) body: usize,
    /// Whether the answer contains a secret.
    pub(crate) has_secret: bool,
    /// When a kept answer is looked for.
    pub(crate) look_up: LookUp,
}

impl Once {
    /// Passes a request on. One with a key is executed at most once.
    pub(crate) async fn serve(
        self,
        mut request: ServiceRequest,
        next: Next<impl MessageBody + 'static>,
    ) -> Result<ServiceResponse<BoxBody>, Error> {
        let key = match key_of(&request) {
            None => return Ok(next.call(request).await?.map_into_boxed_body()),
            Some(Ok(key)) => key,
            Some(Err(error)) => return Ok(request.error_response(error)),
        };
        let state = request.app_data::<web::Data<WebState>>().cloned();
        let Some(state) = state else {
            return Ok(request.error_response(ApiError::from(Code::InternalError)));
        };
        match self.begin(&mut request, &state, key).await {
            Ok(Begun::Running(running)) => {
                let ports = CallPorts(running.ports(&state.ports));
                request.extensions_mut().insert(ports);
                self.finish(*running, request, next, state).await
            }
            Ok(Begun::Repeated(kept)) => Ok(match replayed(&kept) {
                Ok(response) => request.into_response(response),
                Err(error) => request.error_response(error),
            }),
            Err(error) => Ok(request.error_response(error)),
        }
    }

    /// Reads the body, which the handler gets, and begins the call.
    async fn begin(
        self,
        request: &mut ServiceRequest,
        state: &WebState,
        key: IdempotencyKey,
    ) -> Result<Begun, ApiError> {
        let holder = request.extensions().get::<Arc<KeyHolder>>().cloned();
        let holder = holder.ok_or(Code::Unauthenticated)?;
        let arrival = Arrival::of(request.request(), party(request.request()))?;
        let arrived = arrival.read(request.take_payload(), self.body).await?;
        let target = format!("{} {}\n", request.method(), request.uri());
        let (fingerprint, arrived) = fingerprint(state, target, arrived).await?;
        request.extensions_mut().insert(arrived);
        let ports = &state.ports.idempotency;
        Ok(idempotency::begin(ports, &holder.caller, key, fingerprint, self.look_up).await?)
    }

    /// Executes the call. It continues when its client disconnects, because other calls share its transaction.
    async fn finish(
        self,
        running: Running,
        request: ServiceRequest,
        next: Next<impl MessageBody + 'static>,
        state: web::Data<WebState>,
    ) -> Result<ServiceResponse<BoxBody>, Error> {
        let asked = request.request().clone();
        let done = async move {
            let response = next.call(request).await?.map_into_boxed_body();
            Ok(self.keep(running, response, &state).await)
        };
        let done = actix_web::rt::spawn(done.in_current_span()).await;
        done.unwrap_or_else(|_panicked| {
            Ok(ServiceResponse::from_err(ApiError::from(Code::InternalError), asked))
        })
    }

    /// The response, once its answer is kept and what the call wrote is committed.
    async fn keep(
        self,
        running: Running,
        response: ServiceResponse<BoxBody>,
        state: &WebState,
    ) -> ServiceResponse<BoxBody> {
        if running.is_overtaken() {
            let earlier = running.earlier().await.map_err(ApiError::from);
            return match earlier.and_then(|earlier| replayed(&earlier)) {
                Ok(replayed) => response.into_response(replayed),
                Err(error) => response.error_response(error),
            };
        }
        let response = render(response, state);
        if !is_kept(response.status()) {
            return response;
        }
        let request = response.request().clone();
        let ended = match kept::of(response) {
            Ok((response, answer)) => {
                self.keep_answer(running, answer).await.map(|other| (response, other))
            }
            Err(error) => Err(error),
        };
        match ended {
            Ok((response, None)) => response,
            Ok((_, Some(other))) => ServiceResponse::new(request, other),
            Err(error) => ServiceResponse::from_err(error, request),
        }
    }

    /// Returns the answer to give instead if another call with the key was faster.
    async fn keep_answer(
        self,
        running: Running,
        answer: Vec<u8>,
    ) -> Result<Option<HttpResponse>, ApiError> {
        let kept = running.keep(answer, self.has_secret).await?;
        kept.map(|kept| replayed(&kept)).transpose()
    }
}

/// The key of a request, if it has one.
fn key_of(request: &ServiceRequest) -> Option<Result<IdempotencyKey, ApiError>> {
    let mut sent = request.headers().get_all(IDEMPOTENCY_KEY);
    let first = sent.next()?;
    // Two keys are as invalid as an empty one.
    let key = if sent.next().is_none() { first.as_bytes() } else { &[] };
    let invalid = |problem| Violations::one(IDEMPOTENCY_KEY, problem).into();
    Some(IdempotencyKey::parse(key).map_err(invalid))
}

/// The digest of the request, and its body.
async fn fingerprint(
    state: &WebState,
    target: String,
    arrived: Arrived,
) -> Result<(Fingerprint, Arrived), ApiError> {
    let is_large = arrived.bytes.len() >= LARGE;
    let digest = move || {
        let digest = Sha256::new().chain_update(target).chain_update(&arrived.bytes);
        (Fingerprint::from(digest.finalize()), arrived)
    };
    if is_large { state.heavy.run(async move { Ok(digest()) }).await } else { Ok(digest()) }
}

/// Failures, and answers that depend on the time or on the caller's rights, are not kept.
fn is_kept(status: StatusCode) -> bool {
    !status.is_server_error()
        && !matches!(
            status,
            StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::REQUEST_TIMEOUT
                | StatusCode::TOO_MANY_REQUESTS
        )
}

fn replayed(answer: &[u8]) -> Result<HttpResponse, ApiError> {
    if answer.is_empty() {
        return Err(Code::IdempotentAnswerGone.into());
    }
    counter!("contact_hub_http_answers_replayed_total").increment(1);
    kept::replay(answer).ok_or_else(|| Code::InternalError.into())
}
