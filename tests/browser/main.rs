//! What a person does with the pages, in a real browser: Chromium, driven over `WebDriver`.
//!
//! A journey clicks what can be seen, fills in what has a label, and says on which page it arrives. Every page that it
//! arrives on is held against what all pages promise: no violation that axe-core finds, light and dark, wide and narrow;
//! lines, fields and words that can be read from 320 px to 4K, without scrolling sideways; nothing in the browser's console; nothing from another host; no jump of the layout.
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

/// The directory for what tasks make and install.
fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target")
}
