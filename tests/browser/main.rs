//! What users do with the pages, in a real browser: Chromium, driven over `WebDriver`.
//!
//! A journey clicks visible elements, fills in labelled fields, and names the page on which it arrives. Every page on
//! which it arrives is checked for what all pages promise: no violations that axe-core finds, in light and dark, wide
//! and narrow; readable lines, fields and words from 320 px to 4K, without horizontal scrolling; nothing in the
//! browser's console; nothing from other hosts; no layout shifts.
//!
//! `cargo xtask test` finds or installs what this needs: Chromium, its driver and axe-core.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what the journeys share fails the test that uses it"
)]

mod accessibility;
mod journeys;
mod layout;
mod page_check;
mod person;
mod pictures;
mod words;

use std::path::PathBuf;
use std::time::Duration;

/// How long something on a page may take on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);

/// The directory in which tasks create and install files.
fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target")
}
