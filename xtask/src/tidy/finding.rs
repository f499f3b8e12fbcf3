//! What a rule has to say about a file.

use std::fmt;
use std::path::{Path, PathBuf};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Worth knowing.
    Note,
    /// To be put right before anything is merged.
    Error,
}

/// One thing found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// How much it matters.
    pub(crate) weight: Weight,
    path: PathBuf,
    line: Option<usize>,
    text: String,
}

impl Finding {
    /// Something wrong with a file or directory as a whole.
    pub(crate) fn of(path: &Path, text: impl Into<String>) -> Self {
        Self { weight: Weight::Error, path: path.to_path_buf(), line: None, text: text.into() }
    }

    /// Something wrong in one line, counted from 1.
    pub(crate) fn at(path: &Path, line: usize, text: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::of(path, text) }
    }

    /// The same, but only worth knowing.
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
