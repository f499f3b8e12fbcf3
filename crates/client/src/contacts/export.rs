//! An export, read line by line. An export that breaks off is continued.

use backon::{BackoffBuilder as _, ExponentialBackoff};
use reqwest::Response;
use serde::Deserialize;

use super::{Contact, ContactQuery};
use crate::request::Request;
use crate::{ContactHub, Error, Method};

/// A contact of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportedContact {
    /// The contact with its field values.
    pub contact: Contact,
    /// The place after this contact: the parameter `page[after]` of an export that continues after it.
    pub cursor: String,
}

#[derive(Deserialize)]
struct Cursor {
    #[serde(rename = "_cursor")]
    cursor: String,
}

/// All contacts of a query with their field values.
pub struct Export {
    hub: ContactHub,
    query: ContactQuery,
    /// The cursor of the last contact that arrived.
    after: Option<String>,
    lines: Option<Lines>,
    pauses: ExponentialBackoff,
    is_done: bool,
}

/// The lines of an answer. The text after the last line break is incomplete.
struct Lines {
    response: Response,
    rest: Vec<u8>,
    /// How many bytes of the rest are known to have no line break.
    searched: usize,
}

impl ContactHub {
    /// Exports contacts. The service sends them as one stream; [`Export::next`] reads it.
    #[must_use]
    pub fn export(&self, query: &ContactQuery) -> Export {
        Export {
            hub: self.clone(),
            query: query.clone(),
            after: None,
            lines: None,
            pauses: self.retries.pauses().build(),
            is_done: false,
        }
    }
}

impl Export {
    /// The next contact; `None` at the end. An export that breaks off continues after the last contact that arrived.
    /// After an error it can be called again.
    pub async fn next(&mut self) -> Result<Option<ExportedContact>, Error> {
        while !self.is_done {
            match self.contact().await {
                Ok(Some(exported)) => {
                    self.after = Some(exported.cursor.clone());
                    // The limit of attempts counts failures without progress.
                    self.pauses = self.hub.retries.pauses().build();
                    return Ok(Some(exported));
                }
                Ok(None) => self.is_done = true,
                Err(error) => {
                    self.lines = None;
                    let pause = self.pauses.next();
                    let Some(pause) = self.hub.retries.after(&error, pause) else {
                        self.pauses = self.hub.retries.pauses().build();
                        return Err(error);
                    };
                    tokio::time::sleep(pause).await;
                }
            }
        }
        Ok(None)
    }

    async fn contact(&mut self) -> Result<Option<ExportedContact>, Error> {
        let lines = match &mut self.lines {
            Some(lines) => lines,
            none => none.insert(open(&self.hub, &self.query, self.after.as_deref()).await?),
        };
        let Some(line) = lines.next(&self.hub).await? else { return Ok(None) };
        let contact = serde_json::from_slice(&line).map_err(Error::Unreadable)?;
        let Cursor { cursor } = serde_json::from_slice(&line).map_err(Error::Unreadable)?;
        Ok(Some(ExportedContact { contact, cursor }))
    }
}

async fn open(hub: &ContactHub, query: &ContactQuery, after: Option<&str>) -> Result<Lines, Error> {
    let mut request = Request::new(Method::Get, ["api", "public", "v1", "contacts", "export"]);
    for (name, value) in query.conditions() {
        // Before the first contact, the export begins where the caller requested.
        if after.is_none() || name != "page[after]" {
            request.query(name, value);
        }
    }
    if let Some(cursor) = after {
        request.query("page[after]", cursor);
    }
    let request = request.prepared(&hub.base, &hub.authorization, "application/x-ndjson")?;
    let response = hub.in_time(hub.send(&request)).await?;
    Ok(Lines { response, rest: Vec::new(), searched: 0 })
}

impl Lines {
    async fn next(&mut self, hub: &ContactHub) -> Result<Option<Vec<u8>>, Error> {
        loop {
            let mut unread = self.rest.iter().skip(self.searched);
            if let Some(place) = unread.position(|byte| *byte == b'\n') {
                let rest =
                    self.rest.split_off(self.searched.saturating_add(place).saturating_add(1));
                let line = std::mem::replace(&mut self.rest, rest);
                self.searched = 0;
                return Ok(Some(line));
            }
            self.searched = self.rest.len();
            if self.rest.len() > hub.longest_answer {
                return Err(Error::TooLong);
            }
            match hub.in_time(async { Ok(self.response.chunk().await?) }).await? {
                Some(chunk) => self.rest.extend_from_slice(&chunk),
                None if self.rest.is_empty() => return Ok(None),
                None => return Err(Error::BrokenOff),
            }
        }
    }
}
