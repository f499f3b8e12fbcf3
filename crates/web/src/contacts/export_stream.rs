//! The body of an export, written while contacts are read. It is never longer in memory than a part of the export.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use actix_web::web::Bytes;
use futures_util::{Stream, stream};

use contact_hub_domain::audit;
use contact_hub_domain::contacts::{self, Contact, ContactDetail, Export};

use crate::budget::{Grant, Party};
use crate::error::ApiError;
use crate::extract::{CallerOf, Holder, StillAllowed};
use crate::middleware::log;

/// The memory that an export needs while its client reads it, in bytes.
const WEIGHT: usize = 8 << 20;

/// How many contacts are written at once.
const TOGETHER: usize = 50;

/// How often the caller is checked again.
const CHECKED_EVERY: Duration = Duration::from_secs(1);

/// A running export, and the function that writes one contact.
struct Body<H, C, W> {
    caller: CallerOf<H>,
    credential: C,
    checked_at: Instant,
    export: Export,
    write: W,
    /// The text before the contacts, until it is sent.
    head: Option<Bytes>,
    ready: VecDeque<Contact>,
    is_over: bool,
    _grant: Grant,
}

/// The bytes of an export. Its first part is read before the answer begins, so that a failure is still an error; a later
/// failure aborts the answer, so that clients notice that it is incomplete.
///
/// So does the end of the caller's rights, within a second.
pub(crate) async fn export_stream<H: Holder, C: StillAllowed, W>(
    caller: CallerOf<H>,
    credential: C,
    mut export: Export,
    head: Option<Vec<u8>>,
    write: W,
) -> Result<impl Stream<Item = Result<Bytes, io::Error>> + use<H, C, W>, ApiError>
where
    W: Fn(&Export, &ContactDetail, &mut Vec<u8>) -> Result<(), ApiError> + 'static,
{
    audit::record_export(&caller.context(), caller.now()).await?;
    let party = Party::Company(caller.who.caller().company.id);
    let grant = caller.state().budget.hold(party, WEIGHT)?;
    let ready = export.next(&caller.context()).await?.into();
    let head = head.map(Bytes::from);
    let checked_at = Instant::now();
    let body = Body {
        caller,
        credential,
        checked_at,
        export,
        write,
        head,
        ready,
        is_over: false,
        _grant: grant,
    };
    Ok(stream::unfold(body, Body::next))
}

impl<H: Holder, C: StillAllowed, W> Body<H, C, W>
where
    W: Fn(&Export, &ContactDetail, &mut Vec<u8>) -> Result<(), ApiError>,
{
    async fn next(mut self) -> Option<(Result<Bytes, io::Error>, Self)> {
        if self.is_over {
            return None;
        }
        match self.chunk().await {
            Ok(chunk) => chunk.map(|chunk| (Ok(chunk), self)),
            Err(error) => {
                log(&error);
                self.is_over = true;
                Some((Err(io::Error::other("the export broke off")), self))
            }
        }
    }

    async fn chunk(&mut self) -> Result<Option<Bytes>, ApiError> {
        if let Some(head) = self.head.take() {
            return Ok(Some(head));
        }
        if self.checked_at.elapsed() >= CHECKED_EVERY {
            self.credential.still_allowed().await?;
            self.checked_at = Instant::now();
        }
        let cx = self.caller.context();
        if self.ready.is_empty() {
            self.ready = self.export.next(&cx).await?.into();
        }
        let together = self.ready.len().min(TOGETHER);
        let details = contacts::details(&cx, self.ready.drain(..together).collect()).await?;
        let mut chunk = Vec::new();
        for detail in &details {
            (self.write)(&self.export, detail, &mut chunk)?;
        }
        Ok((!chunk.is_empty()).then(|| chunk.into()))
    }
}
