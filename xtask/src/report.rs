//! Output of the tasks; the only place that writes to the terminal.
//!
//! A closed pipe (`cargo xtask ci | head`) does not end a task: throwaway databases still have to be removed.

use std::io::Write as _;

/// Prints one line.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints the heading of a step, separated from what came before.
pub(crate) fn heading(text: &str) {
    line(&format!("\n=== {text}"));
}
