//! Log lines, which a thread of its own writes.
//!
//! On a busy service it wakes and writes for many lines at once: a wake-up and a system call for each would be a part of
//! what a request costs. No line is dropped; when the reader of the logs is too slow, those who log wait for it.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// The bytes that may wait to be written.
const MAX_WAITING: usize = 1 << 20;

/// How long lines gather after others were written.
const PAUSE: Duration = Duration::from_millis(2);

/// How long the end waits until the last lines are written.
const LAST: Duration = Duration::from_secs(1);

/// Takes lines.
#[derive(Clone)]
pub(crate) struct LogLines(Arc<Shared>);

/// Writes what is left when it is dropped.
#[must_use]
pub struct LogWriter(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// There are lines, or no more follow.
    changed: Condvar,
    /// There is room for more lines, or all are written.
    written: Condvar,
}

#[derive(Default)]
struct State {
    lines: Vec<u8>,
    /// Whether the thread waits for lines.
    is_idle: bool,
    /// Whether the thread is to end.
    ends: bool,
    has_ended: bool,
}

impl LogLines {
    /// Starts the thread that writes the lines.
    pub(crate) fn to(output: impl Write + Send + 'static) -> io::Result<(Self, LogWriter)> {
        let shared = Arc::new(Shared::default());
        let lines = Arc::clone(&shared);
        let thread = thread::Builder::new().name("log".to_owned());
        thread.spawn(move || lines.write_to(output))?;
        Ok((Self(Arc::clone(&shared)), LogWriter(shared)))
    }
}

impl<'a> MakeWriter<'a> for LogLines {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl Write for &LogLines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.add(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn add(&self, line: &[u8]) {
        let mut state = self.state();
        while state.lines.len() >= MAX_WAITING && !state.ends {
            state = self.written.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.has_ended {
            return;
        }
        state.lines.extend_from_slice(line);
        if std::mem::take(&mut state.is_idle) {
            self.changed.notify_one();
        }
    }

    fn write_to(&self, mut output: impl Write) {
        let mut lines = Vec::new();
        while self.take(&mut lines) {
            // There is nowhere to tell that lines cannot be written.
            output.write_all(&lines).and_then(|()| output.flush()).ok();
            lines.clear();
            self.changed.wait_timeout_while(self.state(), PAUSE, |state| !state.ends).ok();
        }
        self.state().has_ended = true;
        self.written.notify_all();
    }

    /// Takes all lines, once there are some; returns false at the end.
    fn take(&self, lines: &mut Vec<u8>) -> bool {
        let mut state = self.state();
        while state.lines.is_empty() && !state.ends {
            state.is_idle = true;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::swap(&mut state.lines, lines);
        self.written.notify_all();
        !lines.is_empty()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.ends = true;
        self.0.changed.notify_one();
        self.0.written.wait_timeout_while(state, LAST, |state| !state.has_ended).ok();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    use super::{LogLines, MAX_WAITING};

    /// Passes on what is written, and waits before each write.
    struct Gate {
        written: Sender<Vec<u8>>,
        opened: Receiver<()>,
    }

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.opened.recv().ok();
            self.written.send(bytes.to_vec()).ok();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn gate() -> (Gate, Receiver<Vec<u8>>, Sender<()>) {
        let ((written, writes), (open, opened)) = (channel(), channel());
        (Gate { written, opened }, writes, open)
    }

    #[test]
    fn lines_that_gather_are_written_at_once_and_in_order() {
        let (gate, writes, open) = gate();
        let (lines, writer) = LogLines::to(gate).expect("a thread");
        open.send(()).expect("it waits");
        (&lines).write_all(b"first\n").expect("taken");
        assert_eq!(writes.recv().as_deref(), Ok(&b"first\n"[..]));
        for line in ["second\n", "third\n", "fourth\n"] {
            (&lines).write_all(line.as_bytes()).expect("taken");
        }
        drop(open);
        drop(writer);
        let rest: Vec<Vec<u8>> = writes.iter().collect();
        assert!(rest.len() <= 2, "{rest:?}");
        assert_eq!(rest.concat(), b"second\nthird\nfourth\n");
    }

    #[test]
    fn a_slow_reader_holds_up_those_who_log_and_loses_no_line() {
        let (gate, writes, open) = gate();
        let (lines, writer) = LogLines::to(gate).expect("a thread");
        let line = vec![b'x'; MAX_WAITING];
        let logging = {
            let lines = lines.clone();
            thread::spawn(move || (0..4).for_each(|_| (&lines).write_all(&line).expect("taken")))
        };
        // One is being written and one waits.
        for _ in 0..2 {
            assert!(!logging.is_finished());
            open.send(()).expect("it waits");
            assert_eq!(writes.recv().expect("written").len(), MAX_WAITING);
        }
        drop(open);
        logging.join().expect("all are taken");
        drop(writer);
        assert_eq!(writes.iter().flatten().count(), 2 * MAX_WAITING);
    }
}
