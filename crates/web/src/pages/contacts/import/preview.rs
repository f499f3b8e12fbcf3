//! The first lines of a file: its columns, their likely targets, and the values of their first cells.

use actix_web::HttpRequest;
use askama::Template;
use csv::StringRecord;

use contact_hub_domain::fields::{self, Directory, FieldType};

use super::LONG_TEXT;
use super::cells;
use super::column::{Column, Target};
use super::csv_rows::{delimiter_of, records};
use super::reading::Reading;
use crate::error::{Answer, ApiError};
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::contacts::columns::Guesses;
use crate::pages::contacts::table::text_of;
use crate::pages::contacts::values::in_words;
use crate::pages::excerpt::shortened;
use crate::pages::form::ScriptBody;
use crate::pages::respond;

/// How many rows decide the reading of a column.
const READ_ROWS: usize = 100;

/// How many cells of a column are shown.
const SHOWN_CELLS: usize = 5;

/// A file with more columns is shown without its cells.
const MANY_COLUMNS: usize = 200;

/// Reading the rows and their values needs at most this many times the memory of the rows.
const WEIGHT: usize = 5;

#[derive(Template)]
#[template(path = "contacts/import_preview.html")]
struct Preview {
    delimiter: String,
    columns: Vec<Shown>,
}

/// A column of the file.
struct Shown {
    name: String,
    guess: String,
    /// The type of its values, and their reading: empty when there is one, and `?` when the person has to choose.
    kind: &'static str,
    reading: &'static str,
    /// The type of a field that could be made for it.
    suggested: &'static str,
    cells: Vec<Cell>,
    /// How many of the first cells cannot be read.
    unread: usize,
}

/// A cell, and what it becomes when that is something else.
struct Cell {
    text: String,
    becomes: Option<String>,
    is_unread: bool,
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest, body: ScriptBody) -> Answer {
    let query = request.query_string().to_owned();
    let weight = body.bytes().len().saturating_mul(WEIGHT);
    let previewed = caller.work(weight, |caller| async move {
        let directory = fields::list(&caller.context()).await?;
        preview_of(body.bytes(), &Address::of(&query), &directory)
    });
    respond::page(&previewed.await?)
}

fn preview_of(csv: &[u8], address: &Address, directory: &Directory) -> Result<Preview, ApiError> {
    let delimiter = address.get("delimiter").bytes().next().unwrap_or_else(|| delimiter_of(csv));
    let mut records = records(csv, delimiter, 1 + READ_ROWS)?.into_iter();
    let head = records.next().unwrap_or_default();
    let rows: Vec<StringRecord> = records.collect();
    let chosen = address.pairs().iter().filter(|(name, _)| name == "column");
    let chosen: Vec<&str> = chosen.map(|(_, target)| target.as_str()).collect();
    let guesses = Guesses::new(directory);
    let shown_cells = if head.len() > MANY_COLUMNS { 0 } else { SHOWN_CELLS };
    let shown = |(place, name): (usize, &str)| {
        let target = chosen.get(place).map_or_else(|| guesses.of(name), |it| (*it).to_owned());
        let cells = rows.iter().filter_map(|row| row.get(place)).map(text_of);
        let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
        shown(name, &target, &cells, shown_cells, directory)
    };
    let columns = head.iter().enumerate().map(shown).collect();
    Ok(Preview { delimiter: char::from(delimiter).to_string(), columns })
}

fn shown(
    name: &str,
    target: &str,
    cells: &[String],
    shown_cells: usize,
    directory: &Directory,
) -> Shown {
    let column = Column::of(target, directory);
    let kind = column.and_then(|column| column.kind());
    let chosen = column.and_then(|column| column.reading);
    let reading = kind.and_then(|kind| chosen.or_else(|| cells::needed(kind, cells)));
    let has_readings = kind.is_some_and(Reading::is_chosen_for);
    let is_ignored = column.is_none_or(|column| matches!(column.target, Target::Ignored));
    let read = |cell: &String| {
        let value = kind.zip(reading).map(|(kind, reading)| cells::value(kind, reading, cell));
        let becomes = value.as_ref().and_then(Option::as_ref).map(in_words);
        Cell {
            text: shortened(cell, LONG_TEXT),
            becomes: becomes.filter(|it| it != cell).map(|it| shortened(&it, LONG_TEXT)),
            is_unread: matches!(value, Some(None)),
        }
    };
    let unread = kind.zip(reading).map_or(0, |(kind, reading)| {
        cells.iter().filter(|cell| cells::value(kind, reading, cell).is_none()).count()
    });
    Shown {
        name: shortened(name, LONG_TEXT),
        guess: target.split('~').next().unwrap_or_default().to_owned(),
        kind: kind.map_or("", FieldType::into),
        reading: if has_readings { reading.map_or("?", Reading::code) } else { "" },
        suggested: if is_ignored { cells::suggested(cells).into() } else { "" },
        cells: cells.iter().take(shown_cells).map(read).collect(),
        unread,
    }
}
