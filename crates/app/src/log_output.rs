//! Writes log lines to standard error, with one write for all lines of a short time.

use std::io::{self, BufWriter, Write};
use std::thread;
use std::time::Duration;

/// The maximum number of bytes of lines that are gathered before they are written.
const BUFFER: usize = 64 * 1024;

/// How long lines are gathered after others were written. Without it a busy service wakes the thread that writes for nearly
/// every line.
const GATHER: Duration = Duration::from_millis(5);

/// Writes lines and gathers the next ones for a moment. It is meant for a thread that flushes it whenever no line waits.
pub(crate) struct LogOutput<W: Write> {
    lines: BufWriter<W>,
}

impl<W: Write> LogOutput<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { lines: BufWriter::with_capacity(BUFFER, output) }
    }
}

impl<W: Write> Write for LogOutput<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.lines.write(line)
    }

    #[expect(clippy::disallowed_methods, reason = "it is a pace, and waits for nothing")]
    fn flush(&mut self) -> io::Result<()> {
        self.lines.flush()?;
        thread::sleep(GATHER);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tracing_appender::non_blocking::NonBlockingBuilder;

    use super::LogOutput;

    #[derive(Clone, Default)]
    struct Writes(Arc<Mutex<Vec<String>>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order_and_many_with_one_write() {
        const LINES: usize = 10_000;
        let writes = Writes::default();
        let output = LogOutput::new(writes.clone());
        let (mut lines, guard) = NonBlockingBuilder::default().lossy(false).finish(output);
        let mut expected = String::new();
        for number in 0..LINES {
            let line = format!("{number}\n");
            lines.write_all(line.as_bytes()).expect("a line");
            expected.push_str(&line);
        }
        drop(guard);
        let writes = writes.0.lock().unwrap();
        assert_eq!(writes.concat(), expected);
        assert!(writes.len() < LINES / 50, "{} writes", writes.len());
    }
}
