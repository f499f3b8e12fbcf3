//! `GET /admin/live`: a stream of server-sent events. Each notifies a page that something it may show has changed.
//!
//! An event has the current mark and no data; the page then reads itself again. While nothing changes, a stream holds
//! its connection and a little memory, but no connection to the database and no memory of the budget.

pub(crate) mod places;

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::header::HeaderName;
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use tokio::time::{Instant, sleep_until};

use contact_hub_domain::live::Mark;

use super::address::Address;
use super::caller::PageCaller;
use super::guard::{EVENT_STREAM, LOOK};
use super::{cookies, guard};
use crate::error::{Answer, Code};
use crate::state::WebState;

use places::Place;

/// The interval at which the session is checked again, and something is sent so that proxies keep the connection.
const CHECKED_EVERY: Duration = Duration::from_secs(15);

/// A stream ends after this time; the page opens another one.
const LONGEST: Duration = Duration::from_mins(10);

/// Asks proxies to pass on each event at once.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The parameter with the mark of what the page shows.
const KNOWN: &str = "known";

/// What is sent while nothing changes, which pages ignore.
const COMMENT: Bytes = Bytes::from_static(b":\n\n");

struct Stream {
    state: web::Data<WebState>,
    caller: PageCaller,
    token: String,
    known: Option<Mark>,
    has_begun: bool,
    check_at: Instant,
    ends_at: Instant,
    _place: Place,
}

pub(crate) async fn handle(
    caller: PageCaller,
    state: web::Data<WebState>,
    request: HttpRequest,
) -> Answer {
    let token = cookies::session(&state, &request).ok_or(Code::Unauthenticated)?;
    let holder = &caller.holder().caller;
    let place = state.live.take(holder.company.id, holder.user_id);
    let Some(place) = place.filter(|_| !state.stopping.has_begun()) else {
        // A page that gets no stream polls.
        return Ok(HttpResponse::NoContent().finish());
    };
    let known = Address::of(request.query_string());
    let known = u64::from_str_radix(known.get(KNOWN), 16).ok().map(Mark);
    let now = Instant::now();
    let (check_at, ends_at) = (now + CHECKED_EVERY, now + LONGEST);
    let stream =
        Stream { state, caller, token, known, has_begun: false, check_at, ends_at, _place: place };
    Ok(HttpResponse::Ok()
        .content_type(EVENT_STREAM)
        .insert_header((BUFFERING, "no"))
        .streaming(stream::unfold(stream, Stream::next)))
}

impl Stream {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let sent = self.message().await?;
        Some((Ok(sent), self))
    }

    /// What is sent next; `None` ends the stream.
    async fn message(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return Some(COMMENT);
        }
        let company = self.caller.who.company();
        let live = &self.state.ports.live.live;
        tokio::select! {
            biased;
            () = self.state.stopping.begun() => None,
            () = sleep_until(self.check_at) => {
                self.check_at = Instant::now() + CHECKED_EVERY;
                let goes_on = self.check_at < self.ends_at && self.is_admitted().await;
                goes_on.then_some(COMMENT)
            }
            mark = live.changed(company, self.known) => {
                let mark = mark?;
                self.known = Some(mark);
                self.is_admitted().await.then(|| format!("event: changed\ndata: {:x}\n\n", mark.0).into())
            }
        }
    }

    /// Whether the person may still open the pages that the stream keeps up to date.
    async fn is_admitted(&self) -> bool {
        guard::still_admits(LOOK, &self.state, &self.token).await
    }
}
