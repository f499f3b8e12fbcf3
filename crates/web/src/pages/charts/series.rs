//! What a chart shows.

/// The meaning of a series, which decides its colour and pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It went well.
    Good,
    /// It did not.
    Bad,
    /// Neither.
    Calm,
}

impl Tone {
    /// The class of the style sheet.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Calm => "calm",
        }
    }

    /// Whether a pattern marks it besides its colour.
    pub(crate) const fn is_hatched(self) -> bool {
        matches!(self, Self::Bad)
    }
}

/// A figure for each time. In bars the first series is the lowest.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// Its name.
    pub(crate) label: &'static str,
    /// Its meaning.
    pub(crate) tone: Tone,
    /// Its figures; a missing one counts as 0.
    pub(crate) values: Vec<u64>,
}

impl Series {
    pub(super) fn at(&self, place: usize) -> u64 {
        self.values.get(place).copied().unwrap_or_default()
    }

    pub(super) fn total(&self) -> u64 {
        self.values.iter().fold(0, |sum, value| sum.saturating_add(*value))
    }
}

/// The times of a chart, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// The heading of the times, such as `Hour`.
    pub(crate) head: &'static str,
    /// The texts of the times.
    pub(crate) labels: Vec<String>,
}
