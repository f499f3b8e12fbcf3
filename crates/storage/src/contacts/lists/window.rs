//! Where a page is among the matches.

/// A walk is given up when it has read this many times as many contacts as expected.
pub(super) const PATIENCE: u64 = 4;

/// The position of a page among the matches, counted from the nearer end.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) from_the_end: bool,
    pub(super) limit: u64,
    pub(super) offset: u64,
}

/// A page beside a number of matches at the beginning of the list.
pub(super) enum Beside {
    /// It follows them, counted from the first match that does.
    After(Window),
    /// It is among them, counted from the last of them.
    Before(Window),
    OnBothSides,
}

impl Window {
    /// The window of a page; `None` if the page is past the end.
    pub(super) fn of(total: u64, offset: u64, size: u64) -> Option<Self> {
        let after = total.checked_sub(offset).filter(|after| *after > 0)?;
        let limit = size.min(after);
        let behind = after - limit;
        Some(if behind < offset {
            Self { from_the_end: true, limit, offset: behind }
        } else {
            Self { from_the_end: false, limit, offset }
        })
    }

    /// How many contacts a walk along the order may read up to the end of the page, when this many of them match.
    pub(super) fn walk(&self, of: u64, matches: u64) -> u64 {
        self.expected(of, matches).saturating_mul(PATIENCE)
    }

    /// How many it is expected to read.
    pub(super) fn expected(&self, of: u64, matches: u64) -> u64 {
        self.end().saturating_mul(of.div_ceil(matches.max(1)))
    }

    /// Whether such a walk reads at most this many contacts.
    pub(super) fn is_soon(&self, of: u64, matches: u64, most: u64) -> bool {
        self.walk(of, matches) <= most
    }

    /// Where the page is beside the first matches, of which there are this many.
    pub(super) fn beside(&self, first: u64) -> Beside {
        if let Some(offset) = self.offset.checked_sub(first) {
            return Beside::After(Self { offset, ..*self });
        }
        first.checked_sub(self.end()).map_or(Beside::OnBothSides, |offset| {
            Beside::Before(Self { from_the_end: !self.from_the_end, offset, ..*self })
        })
    }

    /// The number of matches up to the end of the page.
    pub(super) const fn end(&self) -> u64 {
        self.offset + self.limit
    }
}
