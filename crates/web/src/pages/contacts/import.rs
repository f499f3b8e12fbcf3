//! `/contacts/import`: a CSV file becomes contacts. The browser reads the file and sends it in parts, so that a file may be
//! of any size and nothing is kept here between them.

use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use csv::StringRecord;
use csv_core::ReadFieldResult;
use serde::Serialize;

use contact_hub_domain::contacts::{
    self, BulkDraft, BulkRun, ContactDraft, FailedRow, MAX_BULK_UPSERT,
};
use contact_hub_domain::fields::{self, Directory};

use super::columns::{Guesses, field_at, targets};
use super::table::text_of;
use super::values::given_of;
use crate::error::{Answer, ApiError};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::shortened;
use crate::pages::form::ScriptBody;
use crate::pages::frame::{Frame, Section};
use crate::pages::label::{label_of_contact, labelled};
use crate::pages::respond;

/// How many rows of the file are shown before it is imported.
const SHOWN_ROWS: usize = 5;

/// The most columns of a file: as many as a company may have fields, and as many again.
const MAX_COLUMNS: usize = 2000;

/// What reading rows and validating them takes is at most so many times as much as the rows.
const WEIGHT: usize = 3;

/// A file with more columns is shown without its rows.
const MANY_COLUMNS: usize = 200;

/// How much of a name or a cell is shown, in characters.
const LONG_TEXT: usize = 50;

#[derive(Template)]
#[template(path = "contacts/import.html")]
struct ImportPage {
    frame: Frame,
    part: usize,
    /// The targets of columns. They are in the page once, and the script copies them to each column.
    targets: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "contacts/import_preview.html")]
struct Preview {
    delimiter: String,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    guess: String,
    samples: Vec<String>,
}

#[derive(Serialize)]
struct Outcome {
    created: u64,
    updated: u64,
    refused: Vec<Refused>,
}

/// A refused row: its place in the part, and why.
#[derive(Serialize)]
struct Refused {
    row: usize,
    reason: String,
}

/// The page that takes the file.
pub(crate) async fn show(caller: PageCaller) -> Answer {
    let frame = caller.frame(Section::Contacts, "Import contacts");
    let targets = targets(&*fields::list(&caller.context()).await?, LONG_TEXT);
    respond::page(&ImportPage { frame, part: MAX_BULK_UPSERT / 2, targets })
}

/// The first lines of a file: its columns, what they seem to be, and a few rows.
pub(crate) async fn preview(caller: PageCaller, body: ScriptBody) -> Answer {
    let weight = body.bytes().len().saturating_mul(WEIGHT);
    let previewed = caller.work(weight, |caller| async move {
        let directory = fields::list(&caller.context()).await?;
        preview_of(body.bytes(), &directory)
    });
    respond::page(&previewed.await?)
}

fn preview_of(csv: &[u8], directory: &Directory) -> Result<Preview, ApiError> {
    let delimiter = delimiter_of(csv);
    let mut records = records(csv, delimiter, 1 + SHOWN_ROWS)?.into_iter();
    let head = records.next().unwrap_or_default();
    let shown_rows = if head.len() > MANY_COLUMNS { 0 } else { SHOWN_ROWS };
    let rows: Vec<StringRecord> = records.take(shown_rows).collect();
    let guesses = Guesses::new(directory);
    let cells = |place: usize| rows.iter().filter_map(move |row| row.get(place));
    let columns = head.iter().enumerate().map(|(place, name)| Column {
        name: shortened(name, LONG_TEXT),
        guess: guesses.of(name),
        samples: cells(place).map(|cell| shortened(cell, LONG_TEXT)).collect(),
    });
    let delimiter = char::from(delimiter).to_string();
    Ok(Preview { delimiter, columns: columns.collect() })
}

/// Imports some rows. The query says of each column in turn what it is.
pub(crate) async fn rows(caller: PageCaller, request: HttpRequest, body: ScriptBody) -> Answer {
    let query = request.query_string().to_owned();
    let weight = body.bytes().len().saturating_mul(WEIGHT);
    let imported =
        caller.work(weight, |caller| async move { import(&caller, &query, &body).await });
    Ok(HttpResponse::Ok().json(imported.await?))
}

async fn import(caller: &PageCaller, query: &str, body: &ScriptBody) -> Result<Outcome, ApiError> {
    let address = Address::of(query);
    let columns = address.pairs().iter().filter(|(name, _)| name == "column");
    let columns: Vec<&str> = columns.map(|(_, target)| target.as_str()).collect();
    let delimiter = address.get("delimiter").bytes().next().unwrap_or(b',');
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    let contacts = records(body.bytes(), delimiter, MAX_BULK_UPSERT + 1)?
        .iter()
        .map(|row| draft(row, &columns, &directory).into())
        .collect();
    let result = contacts::upsert_many(&cx, BulkDraft { contacts }, BulkRun::Written).await?;
    let refused = result.failed.iter().map(|row| refused(row, &directory)).collect();
    let (created, updated) = (result.created, result.updated);
    Ok(Outcome { created, updated, refused })
}

fn refused(row: &FailedRow, directory: &Directory) -> Refused {
    let reasons = row
        .violations
        .iter()
        .map(|(path, messages)| labelled(&label_of_contact(path, directory), &messages.join("; ")));
    Refused { row: row.index, reason: reasons.collect::<Vec<_>>().join(" ") }
}

/// The contact of a row. An empty cell is absent, so that it does not change an existing contact.
fn draft(row: &StringRecord, columns: &[&str], directory: &Directory) -> ContactDraft {
    let mut draft = ContactDraft::default();
    let mut values = Vec::new();
    for (target, cell) in columns.iter().zip(row.iter()) {
        let text = text_of(cell);
        let text = text.as_str();
        if text.is_empty() {
            continue;
        }
        match *target {
            "email" => draft.email = text.into(),
            "first_name" => draft.first_name = text.into(),
            "last_name" => draft.last_name = text.into(),
            "avatar_url" => draft.avatar_url = text.into(),
            other => values.extend(
                field_at(other, directory)
                    .map(|field| (field.key.to_string(), given_of(field.kind, text))),
            ),
        }
    }
    draft.field_values = values.into_iter().collect();
    draft
}

/// What separates cells: whatever of the usual is most often in the first line.
fn delimiter_of(csv: &[u8]) -> u8 {
    let head = csv.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |delimiter: &u8| head.split(|byte| byte == delimiter).count();
    // Of equals the last one wins, which is the comma.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// The first rows of a file.
fn records(csv: &[u8], delimiter: u8, most: usize) -> Result<Vec<StringRecord>, ApiError> {
    let csv = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    if is_too_wide(csv, delimiter) {
        let sentence = format!("must have at most {MAX_COLUMNS} columns");
        return Err(ApiError::unreadable_body(&sentence));
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(csv);
    let records = reader.records().take(most).collect::<Result<Vec<_>, _>>();
    records.map_err(|_unreadable| ApiError::unreadable_body("must be CSV in UTF-8"))
}

/// Whether a row has more columns than are read. Finding out keeps none of them.
fn is_too_wide(csv: &[u8], delimiter: u8) -> bool {
    let mut reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let (mut rest, mut columns, mut cell) = (csv, 0_usize, [0; 1024]);
    loop {
        let (found, read, _) = reader.read_field(rest, &mut cell);
        rest = rest.get(read..).unwrap_or_default();
        match found {
            ReadFieldResult::Field { record_end } => {
                columns += 1;
                if columns > MAX_COLUMNS {
                    return true;
                }
                if record_end {
                    columns = 0;
                }
            }
            ReadFieldResult::End => return false,
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::Directory;

    use super::{MAX_COLUMNS, delimiter_of, draft, is_too_wide, records};

    #[test]
    fn counts_the_columns_of_each_row() {
        let row = |columns: usize| ",".repeat(columns - 1);
        let fits = format!("{}\n\"{}\"\n{}", row(MAX_COLUMNS), row(5000), row(MAX_COLUMNS));
        assert!(!is_too_wide(fits.as_bytes(), b','));
        for wide in [row(MAX_COLUMNS + 1), format!("a\n\"x\n\"{}\nb", row(MAX_COLUMNS + 1))] {
            assert!(is_too_wide(wide.as_bytes(), b','));
            assert!(records(wide.as_bytes(), b',', 9).is_err());
        }
        assert!(!is_too_wide(b"", b',') && !is_too_wide(b"\"", b','));
    }

    #[test]
    fn finds_out_what_separates() {
        assert_eq!(delimiter_of(b"a,b;c,d\n;;;;"), b',');
        assert_eq!(delimiter_of(b"a;b;c"), b';');
        assert_eq!(delimiter_of(b"email\r\nx"), b',');
        assert_eq!(delimiter_of(b"a\tb"), b'\t');
    }

    #[test]
    fn an_empty_cell_gives_nothing() {
        let rows = records("\u{feff}a@b.co,,'=Ann\n".as_bytes(), b',', 9).expect("rows");
        let draft = draft(&rows[0], &["email", "first_name", "last_name"], &Directory::default());
        assert_eq!(draft.email, "a@b.co".into());
        assert_eq!(draft.first_name, contact_hub_domain::property::Property::Absent);
        assert_eq!(draft.last_name, "=Ann".into());
    }
}
