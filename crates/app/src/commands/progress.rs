//! The progress of a long command, on standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// What the error of an export begins with that failed after its beginning.
pub(super) const INCOMPLETE: &str = "the export is incomplete";

/// How often a line is shown, on a terminal in the same place.
const ON_TERMINAL_EVERY: Duration = Duration::from_millis(200);
const IN_LINES_EVERY: Duration = Duration::from_secs(5);

/// Shows how far a command is.
pub(super) struct Progress {
    is_terminal: bool,
    shown: Instant,
    /// Whether a text is in the last line of a terminal.
    is_line_used: bool,
}

impl Progress {
    pub(super) fn start() -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { is_terminal, shown: Instant::now(), is_line_used: false }
    }

    /// Shows a text, if enough time has passed since the previous one.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        let every = if self.is_terminal { ON_TERMINAL_EVERY } else { IN_LINES_EVERY };
        if self.shown.elapsed() >= every {
            self.shown = Instant::now();
            let begin = if self.is_terminal { "\r\x1b[K" } else { "" };
            let end = if self.is_terminal { "" } else { "\n" };
            write!(io::stderr(), "{begin}{}{end}", text()).ok();
            self.is_line_used = self.is_terminal;
        }
    }

    /// Shows a last text.
    pub(super) fn end(self, text: &str) {
        drop(self);
        writeln!(io::stderr(), "{text}").ok();
    }
}

/// Later output begins on an empty line.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_line_used {
            write!(io::stderr(), "\r\x1b[K").ok();
        }
    }
}
