//! Lays out text: white space is collapsed as in HTML, and blocks have separate lines.

/// A text that is being written.
#[derive(Default)]
pub(super) struct Layout {
    text: String,
    /// Line breaks to write before the next text.
    breaks: usize,
    /// Whether to write white space before the next text.
    spaced: bool,
}

impl Layout {
    /// Adds text whose white space collapses.
    pub(super) fn add(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                // Invisible filling.
                '\u{200b}' | '\u{feff}' | '\u{ad}' | '\u{34f}' => {}
                c if c.is_whitespace() => self.spaced = true,
                c => self.put(c),
            }
        }
    }

    /// Adds text as it is.
    pub(super) fn add_preformatted(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\n' => self.end_line(),
                '\r' => {}
                c => self.put(c),
            }
        }
    }

    /// Writes white space before the next text.
    pub(super) fn space(&mut self) {
        self.spaced = true;
    }

    /// Adds one line break.
    pub(super) fn end_line(&mut self) {
        self.breaks = (self.breaks + 1).min(2);
        self.spaced = false;
    }

    /// Begins a new line unless one has begun.
    pub(super) fn begin_line(&mut self) {
        self.breaks = self.breaks.max(1);
        self.spaced = false;
    }

    /// Writes an empty line before the next text.
    pub(super) fn begin_paragraph(&mut self) {
        self.breaks = 2;
        self.spaced = false;
    }

    /// The current length of the text.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text after this length.
    pub(super) fn since(&self, length: usize) -> &str {
        self.text.get(length..).unwrap_or_default()
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn put(&mut self, c: char) {
        if !self.text.is_empty() {
            if self.breaks > 0 {
                self.text.extend(std::iter::repeat_n('\n', self.breaks));
            } else if self.spaced {
                self.text.push(' ');
            }
        }
        (self.breaks, self.spaced) = (0, false);
        self.text.push(c);
    }
}
