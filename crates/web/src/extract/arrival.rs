//! Receiving bodies: of bounded size, at a minimum rate, and counted against the sender's memory budget.

use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::{HttpMessage, HttpRequest, web};
use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};

use contact_hub_domain::access::KeyHolder;

use crate::budget::{Grant, Party, WAIT_FOR_ROOM};
use crate::error::{ApiError, Code};
use crate::origin::Origin;
use crate::pages::Person;
use crate::state::WebState;

/// The sender of a body, and the bounds for it.
pub(crate) struct Arrival {
    state: web::Data<WebState>,
    party: Party,
    /// The size in the request's headers.
    announced: Option<usize>,
}

/// A received body. Its part of the budget is free again when this is dropped.
#[derive(Default)]
pub(crate) struct Arrived {
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    _held: Grant,
}

/// The party whose budget a request uses: the caller's company, or else the client's network.
pub(crate) fn party(request: &HttpRequest) -> Party {
    let extensions = request.extensions();
    let of_key = extensions.get::<Arc<KeyHolder>>().map(|holder| holder.caller.company.id);
    let company = of_key.or_else(|| extensions.get::<Person>().map(Person::company));
    drop(extensions);
    company.map_or_else(|| Party::Network(Origin::of(request).address.into()), Party::Company)
}

impl Arrival {
    /// The body of this request, sent by this party.
    pub(crate) fn of(request: &HttpRequest, party: Party) -> Result<Self, ApiError> {
        let state = request.app_data::<web::Data<WebState>>().cloned();
        let state = state.ok_or_else(|| ApiError::from(Code::InternalError))?;
        let length = request.headers().get(CONTENT_LENGTH).and_then(|it| it.to_str().ok());
        let announced = length.and_then(|it| it.parse().ok());
        Ok(Self { state, party, announced })
    }

    /// Reads at most this many bytes. Memory for an announced body is reserved before it is read: otherwise bodies with
    /// only a part of the memory that they need would wait for each other.
    pub(crate) async fn read(
        &self,
        mut payload: Payload,
        limit: usize,
    ) -> Result<Arrived, ApiError> {
        let (mut held, mut room_by) = (Grant::default(), None);
        let mut until = || *room_by.get_or_insert_with(|| Instant::now() + WAIT_FOR_ROOM);
        let budget = &self.state.budget;
        let announced = self.announced.unwrap_or(0);
        if announced > limit {
            return Err(too_large(limit));
        }
        budget.hold_by(self.party, &mut held, announced, &mut until).await?;
        let (started, mut bytes) = (Instant::now(), Vec::with_capacity(announced));
        loop {
            let late = started + self.state.patience.for_body(bytes.len());
            let chunk = timeout_at(late, payload.next()).await;
            let Some(chunk) = chunk.map_err(|_late| Code::RequestTimeout)? else { break };
            let chunk = chunk.map_err(|_cut| ApiError::unreadable_body("did not arrive whole"))?;
            if bytes.len() + chunk.len() > limit {
                return Err(too_large(limit));
            }
            let whole = held.bytes().max(bytes.len() + chunk.len());
            budget.hold_by(self.party, &mut held, whole, &mut until).await?;
            bytes.extend_from_slice(&chunk);
        }
        Ok(Arrived { bytes, _held: held })
    }
}

fn too_large(limit: usize) -> ApiError {
    let message = format!("The body is larger than the {limit} bytes that this address takes.");
    ApiError::new(Code::PayloadTooLarge, message)
}
