//! A chunked body that nobody has read to its end when its answer is there.
//!
//! The connection would read on to the end of such a body, to be used again, and so wait for as long as its client likes.
//! It closes instead when the body is still there as the answer is sent, as it does with every other kind of body.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpMessage as _;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::web::Bytes;
use futures_util::Stream;

/// A chunked body, shared between who reads it and who sends the answer.
#[derive(Clone)]
pub(super) struct Unread(Rc<RefCell<Chunked>>);

struct Chunked {
    payload: Payload,
    has_ended: bool,
}

impl Unread {
    /// The chunked body of a request, if it has one.
    pub(super) fn of(request: &mut ServiceRequest) -> Option<Self> {
        if !request.headers().contains_key(TRANSFER_ENCODING) {
            return None;
        }
        let payload = request.take_payload();
        let unread = Self(Rc::new(RefCell::new(Chunked { payload, has_ended: false })));
        request.set_payload(Payload::Stream { payload: Box::pin(unread.clone()) });
        Some(unread)
    }

    /// Whether some of it may still arrive.
    pub(super) fn goes_on(&self) -> bool {
        !self.0.borrow().has_ended
    }
}

impl Stream for Unread {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut chunked = self.0.borrow_mut();
        let polled = Pin::new(&mut chunked.payload).poll_next(cx);
        chunked.has_ended |= matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled
    }
}
