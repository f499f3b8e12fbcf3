//! A list of steps that run one after the other, with a summary at the end.
//!
//! A failed step does not stop the list, so that one run shows every failure; only an interruption does.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::{process, report};

/// How a step ended that did not fail.
pub(crate) enum Done {
    /// It ran and found nothing wrong.
    Passed,
    /// It did not run, and why.
    Skipped(String),
}

/// One line of the summary.
struct Entry {
    name: &'static str,
    result: Result<Done>,
    took: Duration,
}

/// The steps that have run so far.
#[derive(Default)]
pub(crate) struct Steps {
    entries: Vec<Entry>,
}

impl Steps {
    /// Runs one step under its heading; returns true when it passed.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<Done>) -> bool {
        if process::interrupted() {
            self.skip(name, "interrupted");
            return false;
        }
        report::heading(name);
        let began = Instant::now();
        let result = step();
        let entry = Entry { name, result, took: began.elapsed() };
        report::line(&entry.line());
        let passed = matches!(entry.result, Ok(Done::Passed));
        self.entries.push(entry);
        passed
    }

    /// Adds a step that cannot run.
    pub(crate) fn skip(&mut self, name: &'static str, why: &str) {
        let result = Ok(Done::Skipped(why.to_owned()));
        self.entries.push(Entry { name, result, took: Duration::ZERO });
    }

    /// Lists every step; fails if any of them failed.
    pub(crate) fn finish(self) -> Result<()> {
        report::heading("summary");
        for entry in &self.entries {
            report::line(&entry.line());
        }
        match self.entries.iter().filter(|entry| entry.result.is_err()).count() {
            0 => Ok(()),
            1 => bail!("1 step failed"),
            failed => bail!("{failed} steps failed"),
        }
    }
}

impl Entry {
    /// The result in one line: word, seconds, name, reason.
    fn line(&self) -> String {
        let name = self.name;
        let seconds = format!("{:.1}s", self.took.as_secs_f64());
        match &self.result {
            Ok(Done::Passed) => format!("passed  {seconds:>8}  {name}"),
            Ok(Done::Skipped(why)) => format!("skipped {:>8}  {name}: {why}", ""),
            Err(error) => format!("FAILED  {seconds:>8}  {name}: {error:#}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn one_failure_fails_the_list_and_the_rest_still_runs() {
        let mut steps = Steps::default();
        assert!(!steps.run("first", || Err(anyhow!("broken"))));
        assert!(steps.run("second", || Ok(Done::Passed)));
        assert_eq!(steps.finish().unwrap_err().to_string(), "1 step failed");
    }

    #[test]
    fn a_skipped_step_is_no_failure() {
        let mut steps = Steps::default();
        steps.skip("first", "not installed");
        assert!(!steps.run("second", || Ok(Done::Skipped("not needed".to_owned()))));
        assert!(steps.finish().is_ok());
    }

    #[test]
    fn a_line_names_result_duration_and_reason() {
        let took = Duration::from_millis(1250);
        let entry = Entry { name: "fmt", result: Err(anyhow!("broken")), took };
        assert_eq!(entry.line(), "FAILED      1.2s  fmt: broken");
    }
}
