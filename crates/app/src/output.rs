//! Output for people and programs: results on standard output, errors on standard error.

use std::io::{self, Write};

use anyhow::{Context, Result};

/// Prints an error with its causes in one line on standard error.
pub fn report(error: &anyhow::Error) {
    // A database's own message may have several lines.
    let line = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
    writeln!(io::stderr(), "contact-hub: {line}").ok();
}

/// What an error of standard output begins with. Its cause follows, such as a full disk or a reader that has ended.
pub(crate) const UNWRITABLE: &str = "standard output cannot be written";

/// Prints a line on standard output.
pub fn print_line(line: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context(UNWRITABLE)
}
