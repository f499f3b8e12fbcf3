//! A finding of a rule.

use std::fmt;
use std::path::{Path, PathBuf};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// A hint.
    Note,
    /// Must be fixed before a merge.
    Error,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Its severity.
    pub(crate) weight: Weight,
    path: PathBuf,
    line: Option<usize>,
    text: String,
}

impl Finding {
    /// A finding about a file or directory as a whole.
    pub(crate) fn of(path: &Path, text: impl Into<String>) -> Self {
        Self { weight: Weight::Error, path: path.to_path_buf(), line: None, text: text.into() }
    }

    /// A finding in one line, counted from 1.
    pub(crate) fn at(path: &Path, line: usize, text: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::of(path, text) }
    }

    /// The same as a hint.
    pub(crate) fn into_note(self) -> Self {
        Self { weight: Weight::Note, ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = match self.weight {
            Weight::Note => "note",
            Weight::Error => "error",
        };
        let path = self.path.display();
        match self.line {
            Some(line) => write!(f, "{weight}: {path}:{line}: {}", self.text),
            None => write!(f, "{weight}: {path}: {}", self.text),
        }
    }
}
