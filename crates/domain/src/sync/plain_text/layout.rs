//! Text put down line by line: white space that HTML collapses is collapsed, and blocks have lines of their own.

/// A text in the making.
#[derive(Default)]
pub(super) struct Layout {
    text: String,
    /// Line breaks to come before anything more.
    breaks: usize,
    /// Whether white space comes before anything more.
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

    /// Lets white space come before anything more.
    pub(super) fn space(&mut self) {
        self.spaced = true;
    }

    /// Adds one line break.
    pub(super) fn end_line(&mut self) {
        self.breaks = (self.breaks + 1).min(2);
        self.spaced = false;
    }

    /// Makes sure that a new line begins.
    pub(super) fn begin_line(&mut self) {
        self.breaks = self.breaks.max(1);
        self.spaced = false;
    }

    /// Makes sure that an empty line comes before anything more.
    pub(super) fn begin_paragraph(&mut self) {
        self.breaks = 2;
        self.spaced = false;
    }

    /// How long the text is so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// What was added since the text had this length.
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
