//! One line of a check.

use serde_json::{Value, json};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Nothing is to be done.
    Ok,
    /// Something will go wrong unless it is changed.
    Warning,
    /// Something is wrong.
    Error,
}

impl Level {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What was checked.
    pub(crate) check: &'static str,
    /// How bad it is.
    pub(crate) level: Level,
    /// What was found.
    pub(crate) found: String,
    /// What to do; empty when it is nothing.
    pub(crate) advice: String,
}

impl Finding {
    pub(crate) fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, found: found.into(), advice: String::new() }
    }

    pub(crate) fn warning(
        check: &'static str,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { check, level: Level::Warning, found: found.into(), advice: advice.into() }
    }

    pub(crate) fn error(
        check: &'static str,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { check, level: Level::Error, found: found.into(), advice: advice.into() }
    }

    /// As a JSON object.
    pub(crate) fn object(&self) -> Value {
        let Self { check, level, found, advice } = self;
        json!({"check": check, "level": level.as_str(), "found": found, "advice": advice})
    }

    /// In one or two lines.
    pub(crate) fn lines(&self) -> String {
        let line = format!("{:<8} {:<10} {}", self.level.as_str(), self.check, self.found);
        if self.advice.is_empty() { line } else { format!("{line}\n{:20}→ {}", "", self.advice) }
    }
}
