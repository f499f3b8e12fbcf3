//! The progress of a long command, on standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// How often a line is shown, on a terminal in the same place.
const ON_TERMINAL_EVERY: Duration = Duration::from_millis(200);
const IN_LINES_EVERY: Duration = Duration::from_secs(5);

/// Shows how far a command is.
pub(super) struct Progress {
    is_terminal: bool,
    shown: Instant,
}

impl Progress {
    pub(super) fn start() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), shown: Instant::now() }
    }

    /// Shows a text, if enough time has passed since the previous one.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        let every = if self.is_terminal { ON_TERMINAL_EVERY } else { IN_LINES_EVERY };
        if self.shown.elapsed() >= every {
            self.shown = Instant::now();
            let begin = if self.is_terminal { "\r\x1b[K" } else { "" };
            let end = if self.is_terminal { "" } else { "\n" };
            write!(io::stderr(), "{begin}{}{end}", text()).ok();
        }
    }

    /// Shows a last text.
    pub(super) fn end(self, text: &str) {
        let begin = if self.is_terminal { "\r\x1b[K" } else { "" };
        writeln!(io::stderr(), "{begin}{text}").ok();
    }
}
