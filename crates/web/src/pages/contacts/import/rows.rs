//! `POST /contacts/import/rows`: some rows become contacts. A dry run only returns the outcome.

use actix_web::{HttpRequest, HttpResponse};
use csv::StringRecord;
use metrics::gauge;
use serde::Serialize;

use contact_hub_domain::contacts::{
    self, BulkDraft, BulkRun, ContactDraft, FailedRow, MAX_BULK_UPSERT, RowDraft,
};
use contact_hub_domain::fields::{self, Directory};

use super::column::{Column, Drafted, Target, draft};
use super::csv_rows::records;
use crate::error::{Answer, ApiError};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::shortened;
use crate::pages::form::ScriptBody;
use crate::pages::label::{label_of_contact, labelled};

/// Reading rows and validating them needs at most this many times the memory of the rows.
const WEIGHT: usize = 3;

/// The longest reason, in characters.
const LONG_REASON: usize = 500;

#[derive(Default, Serialize)]
struct Outcome {
    created: u64,
    updated: u64,
    unchanged: u64,
    refused: Vec<Refused>,
}

/// A refused row: its place in the part, and why.
#[derive(Serialize)]
struct Refused {
    row: usize,
    reason: String,
}

/// Counts a part that is being imported, even if the browser goes away.
struct InFlight;

impl InFlight {
    fn start() -> Self {
        gauge!("contact_hub_import_parts_in_flight").increment(1);
        Self
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        gauge!("contact_hub_import_parts_in_flight").decrement(1);
    }
}

/// The query has the target of each column in turn.
pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, body: ScriptBody) -> Answer {
    let query = request.query_string().to_owned();
    let weight = body.bytes().len().saturating_mul(WEIGHT);
    let _in_flight = InFlight::start();
    let imported =
        caller.work(weight, |caller| async move { import(&caller, &query, &body).await });
    Ok(HttpResponse::Ok().json(imported.await?))
}

async fn import(caller: &PageCaller, query: &str, body: &ScriptBody) -> Result<Outcome, ApiError> {
    let address = Address::of(query);
    let run = if address.get("dry_run") == "true" { BulkRun::Dry } else { BulkRun::Written };
    let delimiter = address.get("delimiter").bytes().next().unwrap_or(b',');
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    let targets = address.pairs().iter().filter(|(name, _)| name == "column");
    let columns = Column::all(targets.map(|(_, target)| target.as_str()), &directory)?;
    if run == BulkRun::Written && columns.iter().any(|it| matches!(it.target, Target::New(_))) {
        return Err(ApiError::unreadable_body("has a column whose field is not made yet"));
    }
    let rows = records(body.bytes(), delimiter, MAX_BULK_UPSERT + 1)?;
    let (drafts, places, mut refused) = drafted(&rows, &columns);
    let mut outcome = Outcome::default();
    // A bulk has at least one row.
    if !drafts.is_empty() || refused.is_empty() {
        let draft = BulkDraft { contacts: drafts.into_iter().collect() };
        let result = contacts::upsert_many(&cx, draft, run).await?;
        outcome.created = result.created;
        outcome.updated = result.updated - result.unchanged;
        outcome.unchanged = result.unchanged;
        let failed = result.failed.iter().filter_map(|row| {
            Some(Refused { row: *places.get(row.index)?, reason: reason(row, &directory) })
        });
        refused.extend(failed);
    }
    refused.sort_by_key(|it| it.row);
    outcome.refused = refused;
    Ok(outcome)
}

/// The contacts of the rows with their places, and the refused rows: those with cells that no column has, and those with
/// cells that a field to be made could not hold.
fn drafted(
    rows: &[StringRecord],
    columns: &[Column<'_>],
) -> (Vec<RowDraft>, Vec<usize>, Vec<Refused>) {
    let (mut drafts, mut places, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for (row, record) in rows.iter().enumerate() {
        match draft_of(record, columns) {
            Ok(contact) => {
                drafts.push(contact.into());
                places.push(row);
            }
            Err(reason) => refused.push(Refused { row, reason: shortened(&reason, LONG_REASON) }),
        }
    }
    (drafts, places, refused)
}

/// The contact of a row, or why it is refused.
fn draft_of(record: &StringRecord, columns: &[Column<'_>]) -> Result<ContactDraft, String> {
    // A separator within a cell without quotes shifts the cells after it into other columns.
    if record.iter().skip(columns.len()).any(|cell| !cell.is_empty()) {
        let (cells, columns) = (record.len(), columns.len());
        return Err(format!(
            "It has {cells} cells, but the first row has {columns}. Put a cell that contains the separator in quotes."
        ));
    }
    let Drafted { contact, unread } = draft(record, columns);
    if !unread.is_empty() {
        let columns: Vec<String> = unread.iter().map(|place| (place + 1).to_string()).collect();
        return Err(format!("Column {} does not fit its new field.", columns.join(", ")));
    }
    Ok(contact)
}

fn reason(row: &FailedRow, directory: &Directory) -> String {
    let reasons = row
        .violations
        .iter()
        .map(|(path, messages)| labelled(&label_of_contact(path, directory), &messages.join("; ")));
    shortened(&reasons.collect::<Vec<_>>().join(" "), LONG_REASON)
}
