//! `GET /contacts/export.csv`: all contacts that the list's search and filters find, written while they are read.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, web};

use contact_hub_domain::access::Permission;
use contact_hub_domain::contacts::{AvatarUrl, Contact, ContactDetail, Export, ListDraft};
use contact_hub_domain::fields::{self, Directory, Field, FieldType};

use super::table::cell_of;
use crate::contacts::export_stream::export_stream;
use crate::error::{Answer, ApiError, Code};
use crate::extract::{Asked, StillAllowed};
use crate::fields::json::text_of;
use crate::pages::caller::PageCaller;
use crate::pages::cookies;
use crate::pages::guard::{Access, still_admits};
use crate::state::WebState;

/// The columns that every contact has.
const COLUMNS: [&str; 6] =
    ["email", "first_name", "last_name", "avatar_url", "created_at", "updated_at"];

pub(super) const CSV: &str = "text/csv; charset=utf-8";
pub(super) const FILE: &str = "attachment; filename=\"contacts.csv\"";

/// The session in which a file is read.
struct SessionOfPage {
    state: web::Data<WebState>,
    token: String,
}

impl StillAllowed for SessionOfPage {
    async fn still_allowed(&self) -> Result<(), ApiError> {
        let access = Access::Any(&[Permission::ContactsApi]);
        let is_admitted = still_admits(access, &self.state, &self.token).await;
        if is_admitted { Ok(()) } else { Err(Code::Unauthenticated.into()) }
    }
}

pub(crate) async fn handle(
    caller: PageCaller,
    state: web::Data<WebState>,
    request: HttpRequest,
    Asked(draft): Asked<ListDraft>,
) -> Answer {
    let token = cookies::session(&state, &request).ok_or(Code::Unauthenticated)?;
    let query = draft.read(&caller.context()).await?;
    let directory = fields::list(&caller.context()).await?;
    let fields = directory.fields().to_vec();
    let head = head(&directory)?;
    let write = move |_: &Export, detail: &ContactDetail, chunk: &mut Vec<u8>| {
        chunk.extend(line(&detail.contact, &fields)?);
        Ok(())
    };
    let session = SessionOfPage { state, token };
    let export = Export::new(query, None);
    let parts = export_stream(caller, session, export, Some(head), write).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, CSV))
        .insert_header((CONTENT_DISPOSITION, FILE))
        .streaming(Box::pin(parts)))
}

/// The line of the names.
pub(super) fn head(directory: &Directory) -> Result<Vec<u8>, ApiError> {
    let keys = directory.fields().iter().map(|field| field.key.as_str().to_owned());
    record(COLUMNS.map(str::to_owned).into_iter().chain(keys))
}

/// The line of a contact.
pub(super) fn line(contact: &Contact, fields: &[Field]) -> Result<Vec<u8>, ApiError> {
    record(cells(contact, fields).into_iter())
}

fn cells(contact: &Contact, fields: &[Field]) -> Vec<String> {
    let avatar = contact.avatar_url.as_ref().map_or("", AvatarUrl::as_str);
    let mut cells = vec![
        cell_of(contact.email.as_str()),
        cell_of(contact.first_name.as_str()),
        cell_of(contact.last_name.as_str()),
        cell_of(avatar),
        contact.created_at.to_seconds_text(),
        contact.updated_at.to_seconds_text(),
    ];
    cells.extend(fields.iter().map(|field| {
        let text = contact.field_values.get(&field.key).map(text_of).unwrap_or_default();
        // A number that begins with a minus is no formula.
        if field.kind == FieldType::String { cell_of(&text) } else { text }
    }));
    cells
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
