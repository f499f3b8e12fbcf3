//! The pages: how long a browser takes to draw one, how soon the service answers, and how large it is.

use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::stage::Stage;
use super::table::{Mark, Row};
use crate::database::ThrowawayPostgres;
use crate::{browser, cargo, process, report};

/// The limit for drawing the first page of contacts, in milliseconds.
const DRAWN_MS: f64 = 200.0;

/// The limit for the service's answer to the request of a page, in milliseconds.
const ANSWERED_MS: f64 = 50.0;

/// The limit for the size of a page, in bytes before compression.
const MAX_BYTES: f64 = 150_000.0;

/// The overview, the first page of contacts, and the longest list of them.
pub(super) fn measure(
    postgres: &ThrowawayPostgres,
    stage: &Stage,
    contacts: u64,
) -> Result<Vec<Row>> {
    browser::provide()?;
    let pages = [
        ("overview", "/"),
        ("first page of contacts", "/contacts"),
        ("100 contacts by last name", "/contacts?sort=last_name&page[size]=100"),
    ];
    let mut rows = Vec::new();
    for (what, page) in pages {
        report::line(&format!("drawing: {what}"));
        let figures = figures(postgres, stage, page)?;
        let row = |what: String, measured, beside, unit| Row {
            what,
            measured,
            beside,
            unit,
            mark: Some(Mark::AtMost(1.0)),
        };
        rows.push(row(
            format!("{what} of {contacts}, drawn in Chromium, beside 200"),
            figures.drawn,
            DRAWN_MS,
            "ms",
        ));
        rows.push(row(
            format!("{what} of {contacts}, answered, beside {ANSWERED_MS}"),
            figures.answered,
            ANSWERED_MS,
            "ms",
        ));
        rows.push(row(
            format!("{what}, size of the page beside 150,000"),
            figures.bytes,
            MAX_BYTES,
            "bytes",
        ));
    }
    Ok(rows)
}

/// Medians of several visits, in milliseconds, and the page's size before compression.
struct Figures {
    drawn: f64,
    answered: f64,
    bytes: f64,
}

fn figures(postgres: &ThrowawayPostgres, stage: &Stage, page: &str) -> Result<Figures> {
    let release = cargo::workspace_root().join("target/release");
    let company = &stage.company;
    let user = format!("SELECT id FROM users WHERE company_id = '{company}'");
    let user = postgres.sql(&stage.database, &user)?;
    let mut link = Command::new(release.join("contact-hub"));
    link.args(["user", "sign-in-link", "--id", user.trim()]);
    link.args(["--public-url", &stage.service.base]);
    link.args(["--database-url", &postgres.url_of(&stage.database)]);
    let link: Value = serde_json::from_str(&process::capture(&mut link)?)?;
    let link = link.get("url").and_then(Value::as_str).context("no link")?;
    let page = format!("{}{page}", stage.service.base);
    let figures = process::capture(
        Command::new(release.join("drawn")).args(["--link", link, "--page", &page]),
    )?;
    let figures: Value = serde_json::from_str(&figures)?;
    let figure = |name: &str| figures.get(name).and_then(Value::as_f64).context("no figure");
    Ok(Figures {
        drawn: figure("drawn_ms")?,
        answered: figure("answered_ms")?,
        bytes: figure("bytes")?,
    })
}
