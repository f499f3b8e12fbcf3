//! Sending answers: a large one counts against the caller's memory budget until the client has read it. It is passed to
//! the connection in pieces, so that the connection holds no second copy.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::web::Bytes;

use crate::budget::{Grant, Spent};
use crate::extract::party;
use crate::state::WebState;

/// Smaller answers are not counted.
const SMALL: u64 = 16 << 10;

/// The size of a piece, in bytes.
const PIECE: usize = 32 << 10;

/// A large body with its part of the budget.
struct Held {
    rest: Bytes,
    _grant: Grant,
}

/// Counts a large answer.
pub(super) fn hold(
    response: ServiceResponse<BoxBody>,
    state: &WebState,
) -> Result<ServiceResponse<BoxBody>, Spent> {
    let BodySize::Sized(size) = response.response().body().size() else { return Ok(response) };
    if size <= SMALL {
        return Ok(response);
    }
    let size = usize::try_from(size).map_err(|_huge| Spent)?;
    let grant = state.budget.hold(party(response.request()), size)?;
    Ok(response.map_body(|_head, body| match body.try_into_bytes() {
        Ok(rest) => BoxBody::new(Held { rest, _grant: grant }),
        Err(streamed) => streamed,
    }))
}

impl MessageBody for Held {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(u64::try_from(self.rest.len()).unwrap_or(u64::MAX))
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let piece = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}
