//! `GET /contacts/export.csv`: all contacts that the list's search and filters find, written while they are read.

use std::collections::VecDeque;
use std::io;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, web};
use futures_util::stream;

use contact_hub_domain::contacts::{self, AvatarUrl, Contact, ListQuery};
use contact_hub_domain::fields::{self, Field, FieldType};

use super::table::cell_of;
use super::values;
use crate::error::{Answer, ApiError, Code};
use crate::extract::Asked;
use crate::middleware::log;
use crate::pages::caller::PageCaller;

/// The columns that every contact has.
const COLUMNS: [&str; 6] =
    ["email", "first_name", "last_name", "avatar_url", "created_at", "updated_at"];

pub(crate) async fn handle(caller: PageCaller, Asked(query): Asked<ListQuery>) -> Answer {
    let directory = fields::list(&caller.context()).await?;
    let fields = directory.fields().to_vec();
    let keys = fields.iter().map(|field| field.key.as_str().to_owned());
    let head = record(COLUMNS.map(str::to_owned).into_iter().chain(keys))?;
    let export =
        Export { caller, contacts: contacts::Export::new(query, None), fields, is_over: false };
    let parts = stream::unfold((export, VecDeque::from([head])), next);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"contacts.csv\""))
        .streaming(parts))
}

/// A running export.
struct Export {
    caller: PageCaller,
    contacts: contacts::Export,
    fields: Vec<Field>,
    is_over: bool,
}

type Step = (Result<web::Bytes, io::Error>, (Export, VecDeque<Vec<u8>>));

/// The next bytes. A part that fails aborts the answer, so that clients notice that it is incomplete.
async fn next((mut export, mut ready): (Export, VecDeque<Vec<u8>>)) -> Option<Step> {
    if let Some(part) = ready.pop_front() {
        return Some((Ok(part.into()), (export, ready)));
    }
    if export.is_over {
        return None;
    }
    let part = export.part().await;
    export.is_over |= part.is_err();
    match part {
        Ok(part) if part.is_empty() => None,
        Ok(part) => Some((Ok(part.into()), (export, ready))),
        Err(error) => {
            log(&error);
            Some((Err(io::Error::other("the export broke off")), (export, ready)))
        }
    }
}

impl Export {
    async fn part(&mut self) -> Result<Vec<u8>, ApiError> {
        let found = self.contacts.next(&self.caller.context()).await?;
        self.is_over = found.is_empty();
        let mut part = Vec::new();
        for contact in &found {
            part.extend(record(self.cells(contact).into_iter())?);
        }
        Ok(part)
    }

    fn cells(&self, contact: &Contact) -> Vec<String> {
        let avatar = contact.avatar_url.as_ref().map_or("", AvatarUrl::as_str);
        let mut cells = vec![
            cell_of(contact.email.as_str()),
            cell_of(contact.first_name.as_str()),
            cell_of(contact.last_name.as_str()),
            cell_of(avatar),
            contact.created_at.to_seconds_text(),
            contact.updated_at.to_seconds_text(),
        ];
        cells.extend(self.fields.iter().map(|field| {
            let text = contact.field_values.get(&field.key).map(values::text_of);
            let text = text.unwrap_or_default();
            // A number that begins with a minus is no formula.
            if field.kind == FieldType::String { cell_of(&text) } else { text }
        }));
        cells
    }
}

/// One line of the file.
fn record(cells: impl Iterator<Item = String>) -> Result<Vec<u8>, ApiError> {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(cells.map(String::into_bytes)).map_err(|_never| Code::InternalError)?;
    writer.into_inner().map_err(|_never| Code::InternalError.into())
}
