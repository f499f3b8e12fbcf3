//! The rows of a part of a CSV file.

use csv::{StringRecord, Terminator};
use csv_core::ReadFieldResult;

use crate::error::ApiError;

/// The maximum number of columns of a file: as many as a company may have fields, and as many again.
pub(super) const MAX_COLUMNS: usize = 2000;

/// Only this ends a row, as in the browser: a lone carriage return belongs to its cell.
const END: u8 = b'\n';

/// The separator of cells: the usual one that occurs most often in the first line.
pub(super) fn delimiter_of(csv: &[u8]) -> u8 {
    let head = csv.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |delimiter: &u8| head.split(|byte| byte == delimiter).count();
    // If several occur equally often, the last one wins, which is the comma.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// The first rows of a file.
pub(super) fn records(
    csv: &[u8],
    delimiter: u8,
    most: usize,
) -> Result<Vec<StringRecord>, ApiError> {
    let csv = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    if is_too_wide(csv, delimiter) {
        let sentence = format!("must have at most {MAX_COLUMNS} columns");
        return Err(ApiError::unreadable_body(&sentence));
    }
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .terminator(Terminator::Any(END))
        .has_headers(false)
        .flexible(true)
        .from_reader(csv);
    let records = reader.records().map(|record| record.map(without_return));
    let records = records.filter(|record| !record.as_ref().is_ok_and(is_blank)).take(most);
    let records = records.collect::<Result<Vec<_>, _>>();
    records.map_err(|_unreadable| ApiError::unreadable_body("must be CSV in UTF-8"))
}

/// The record without the carriage return before its line feed.
fn without_return(record: StringRecord) -> StringRecord {
    let Some(last) = record.iter().next_back().and_then(|cell| cell.strip_suffix('\r')) else {
        return record;
    };
    let others = record.iter().take(record.len().saturating_sub(1));
    others.chain([last]).collect()
}

/// Whether it is an empty line.
fn is_blank(record: &StringRecord) -> bool {
    record.len() <= 1 && record.iter().all(str::is_empty)
}

/// Whether a row has more columns than are read. The check keeps none of them in memory.
fn is_too_wide(csv: &[u8], delimiter: u8) -> bool {
    let mut reader = csv_core::ReaderBuilder::new()
        .delimiter(delimiter)
        .terminator(csv_core::Terminator::Any(END))
        .build();
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
    use super::{MAX_COLUMNS, delimiter_of, is_too_wide, records};

    #[test]
    fn counts_the_columns_of_each_row() {
        let row = |columns: usize| ",".repeat(columns - 1);
        let fits = format!("{}\n\"{}\"\n{}", row(MAX_COLUMNS), row(5000), row(MAX_COLUMNS));
        assert!(!is_too_wide(fits.as_bytes(), b','));
        let half = row(MAX_COLUMNS / 2 + 1);
        for wide in [
            row(MAX_COLUMNS + 1),
            format!("a\n\"x\n\"{}\nb", row(MAX_COLUMNS + 1)),
            format!("{half}\r{half}"),
        ] {
            assert!(is_too_wide(wide.as_bytes(), b','));
            assert!(records(wide.as_bytes(), b',', 9).is_err());
        }
        assert!(!is_too_wide(b"", b',') && !is_too_wide(b"\"", b','));
    }

    #[test]
    fn a_row_ends_at_a_line_feed_only() {
        let csv = b"a,B\rC\r\n\r\nd,\"e\"\r\n\nf,\"g\r\nh\"";
        let rows = records(csv, b',', 9).expect("rows");
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().collect()).collect();
        assert_eq!(rows, [["a", "B\rC"], ["d", "e"], ["f", "g\r\nh"]]);
    }

    #[test]
    fn finds_the_separator() {
        assert_eq!(delimiter_of(b"a,b;c,d\n;;;;"), b',');
        assert_eq!(delimiter_of(b"a;b;c"), b';');
        assert_eq!(delimiter_of(b"email\r\nx"), b',');
        assert_eq!(delimiter_of(b"a\tb"), b'\t');
    }
}
