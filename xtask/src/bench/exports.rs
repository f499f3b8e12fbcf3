//! Exports of all contacts: their speed, the service's memory during them, and pages by cursor where the export ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::load::{self, Until, path, request};
use super::stage::{Stage, StageOptions};
use super::table::{Mark, Row};
use crate::report;

/// How much an export may add to the memory of the service, in megabytes.
const MEMORY: f64 = 64.0;

/// How often a page is requested.
const CALLS: usize = 200;

/// How many contacts a page has.
const PAGE: usize = 100;

/// What is kept of an export's lines.
struct Exported {
    lines: u64,
    seconds: f64,
    /// The cursor of the line behind which one page follows.
    near_the_end: String,
}

/// Measures on each database.
pub(super) fn measure(options: &StageOptions) -> Result<Vec<Row>> {
    options.on_each(|stage, database| {
        // The first page opens what each process opens once.
        page(stage, "")?;
        let before = stage.service.peak_megabytes()?;
        report::line(&format!("exporting on {database}"));
        let exported = export(stage)?;
        ensure!(exported.lines == options.contacts, "{} lines were exported", exported.lines);
        let grown = stage.service.peak_megabytes()? - before;
        let lines = f64::from(u32::try_from(exported.lines)?);
        let speed = lines / exported.seconds;
        Ok(vec![
            Row::alone(
                format!("export of {} contacts as NDJSON, {database}", options.contacts),
                speed,
                "contacts/s",
            ),
            Row {
                what: format!("growth of the service's memory by it, beside {MEMORY}, {database}"),
                measured: grown,
                beside: MEMORY,
                unit: "MB",
                mark: Some(Mark::AtMost(1.0)),
            },
            Row {
                what: format!("last page by cursor, beside the first, {database}"),
                measured: page(stage, &exported.near_the_end)?,
                beside: page(stage, "")?,
                unit: "ms",
                mark: Some(Mark::AtMost(1.2)),
            },
        ])
    })
}

/// The median time of the page after a cursor.
fn page(stage: &Stage, cursor: &str) -> Result<f64> {
    let list = path(&format!("/contacts?page[after]={cursor}&page[size]={PAGE}"));
    let requests = vec![request("GET", &list, &stage.key, "")];
    Ok(load::drive(&stage.service.base, 1, Until::Calls(CALLS), requests)?.median_ms())
}

/// Reads a whole export by one blocking client, which keeps only the cursors of the last lines.
fn export(stage: &Stage) -> Result<Exported> {
    let started = Instant::now();
    let mut stream = TcpStream::connect(stage.service.base.trim_start_matches("http://"))?;
    stream.write_all(&request("GET", &path("/contacts/export"), &stage.key, ""))?;
    let mut answer = BufReader::with_capacity(256 << 10, stream);
    let mut line = String::new();
    answer.read_line(&mut line)?;
    ensure!(line.contains(" 200 "), "the service answered {line}");
    while line != "\r\n" {
        line.clear();
        ensure!(answer.read_line(&mut line)? > 0, "the answer has no body");
    }
    let mut lines = 0;
    let mut last = std::collections::VecDeque::with_capacity(PAGE + 1);
    let mut rest = Vec::new();
    while let Some(chunk) = chunk(&mut answer)? {
        rest.extend(chunk);
        let Some(end) = rest.iter().rposition(|byte| *byte == b'\n') else { continue };
        for line in rest.drain(..=end).as_slice().split(|byte| *byte == b'\n') {
            if line.is_empty() {
                continue;
            }
            lines += 1;
            last.push_back(line.to_vec());
            if last.len() > PAGE + 1 {
                last.pop_front();
            }
        }
    }
    let line: Value = serde_json::from_slice(last.front().context("nothing was exported")?)?;
    let cursor = line.get("_cursor").and_then(Value::as_str).context("a line has no cursor")?;
    let near_the_end = cursor.to_owned();
    Ok(Exported { lines, seconds: started.elapsed().as_secs_f64(), near_the_end })
}

/// The next chunk of a chunked body, or none at its end.
fn chunk(answer: &mut BufReader<TcpStream>) -> Result<Option<Vec<u8>>> {
    let mut size = String::new();
    ensure!(answer.read_line(&mut size)? > 0, "the export broke off");
    let size = usize::from_str_radix(size.trim(), 16).context("not the size of a chunk")?;
    let mut chunk = vec![0; size + 2];
    answer.read_exact(&mut chunk)?;
    chunk.truncate(size);
    Ok((size > 0).then_some(chunk))
}
