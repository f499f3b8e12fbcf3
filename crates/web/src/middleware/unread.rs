//! A chunked body that is not read to its end when the answer is ready.
//!
//! To reuse the connection, the server would read such a body to its end, and wait as long as the client likes. If the
//! body still exists when the answer is sent, the connection closes instead, as with every other kind of body.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpMessage as _;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::web::Bytes;
use futures_util::Stream;

/// A chunked body, shared between its reader and the sender of the answer.
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
    fn goes_on(&self) -> bool {
        !self.0.borrow().has_ended
    }

    /// The body of an answer. It keeps the request's body until it is sent, if some of that body may still arrive.
    pub(super) fn kept_by(unread: Option<Self>, answer: BoxBody) -> BoxBody {
        match unread.filter(Self::goes_on) {
            Some(unread) => BoxBody::new(Keeper { answer, _unread: unread }),
            None => answer,
        }
    }
}

struct Keeper {
    answer: BoxBody,
    _unread: Unread,
}

impl MessageBody for Keeper {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answer).poll_next(cx)
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
