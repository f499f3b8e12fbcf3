//! Export contacts.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde::Serialize;

use utoipa::openapi::path::Parameter;

use contact_hub_domain::access::Bucket;
use contact_hub_domain::contacts::{AvatarUrl, Contact, ContactDetail, Export, ListDraft};
use contact_hub_domain::fields::{self, Field};
use contact_hub_domain::violations::Violations;

use super::export_format::Format;
use super::export_stream::export_stream;
use super::json::ContactDetailJson;
use super::list_query::matching;
use super::request::{Cursor, cursor, place};
use super::shapes::EXPORTED_CONTACT;
use crate::endpoint::prelude::*;
use crate::extract::TokenOfCall;
use crate::extract::query::{Described, FromQuery, Query, only_keys};
use crate::fields::json::text_of;
use crate::openapi::parameters;

/// The columns that every contact has.
const COLUMNS: [&str; 7] =
    ["id", "email", "first_name", "last_name", "avatar_url", "created_at", "updated_at"];

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(GET, "/contacts/export", handle)
        .counts_in(Bucket::Bulk)
        .operation("exportContacts", "Export contacts", Success::Exported(EXPORTED_CONTACT))
        .details(
            "All contacts that filters and search find, with their values, in the order of `sort[]`. \
             The answer is written while contacts are read; one that breaks off lacks the end of its \
             chunked encoding. It goes on after any line with the line's `_cursor` as `page[after]`, \
             and the same filters, sorts and search. CSV has a column for each field.",
        )
}

/// The request for an export.
pub(crate) struct ExportRequest {
    draft: ListDraft,
    after: Option<Cursor>,
}

impl FromQuery for ExportRequest {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        let asked = Query::parse(raw);
        let mut violations = Violations::default();
        only_keys(asked, &["after"], &mut violations);
        let after = cursor(asked, &mut violations);
        Ok(Self { draft: matching(asked, violations), after })
    }
}

impl Described for ExportRequest {
    fn parameters() -> Vec<Parameter> {
        parameters::export()
    }
}

async fn handle(
    caller: Caller,
    token: TokenOfCall,
    Asked(request): Asked<ExportRequest>,
    format: Format,
) -> Answer {
    let query = request.draft.read(&caller.context()).await?;
    let after = request.after.map(|cursor| place(&query, cursor)).transpose()?.flatten();
    let export = Export::new(query, after);
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, format.content_type()))
        .insert_header((CACHE_CONTROL, envelope::NO_STORE));
    if format == Format::Ndjson {
        return Ok(
            answer.streaming(Box::pin(export_stream(caller, token, export, None, line).await?))
        );
    }
    let directory = fields::list(&caller.context()).await?;
    let fields = directory.fields().to_vec();
    let keys = fields.iter().map(|field| field.key.to_string());
    let head = record(COLUMNS.map(str::to_owned).into_iter().chain(keys))?;
    let write = move |_: &Export, detail: &ContactDetail, chunk: &mut Vec<u8>| {
        chunk.extend(record(cells(&detail.contact, &fields))?);
        Ok(())
    };
    Ok(answer.streaming(Box::pin(export_stream(caller, token, export, Some(head), write).await?)))
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    contact: ContactDetailJson<'a>,
    _cursor: String,
}

fn line(export: &Export, detail: &ContactDetail, chunk: &mut Vec<u8>) -> Result<(), ApiError> {
    let cursor = export.cursor(&detail.contact);
    let line = Line { contact: ContactDetailJson::from(detail), _cursor: cursor };
    serde_json::to_writer(&mut *chunk, &line).map_err(|_never| Code::InternalError)?;
    chunk.push(b'\n');
    Ok(())
}

fn cells<'a>(contact: &'a Contact, fields: &'a [Field]) -> impl Iterator<Item = String> + 'a {
    let own = [
        contact.id.to_string(),
        contact.email.as_str().to_owned(),
        contact.first_name.as_str().to_owned(),
        contact.last_name.as_str().to_owned(),
        contact.avatar_url.as_ref().map_or("", AvatarUrl::as_str).to_owned(),
        contact.created_at.to_seconds_text(),
        contact.updated_at.to_seconds_text(),
    ];
    let values = fields.iter().map(|field| contact.field_values.get(&field.key));
    own.into_iter().chain(values.map(|value| value.map(text_of).unwrap_or_default()))
}

/// One record of the file (RFC 4180).
fn record(cells: impl Iterator<Item = String>) -> Result<Vec<u8>, ApiError> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(cells.map(String::into_bytes)).map_err(|_never| Code::InternalError)?;
    writer.into_inner().map_err(|_never| Code::InternalError.into())
}
