//! Placeholders for merge tags while a document is read as HTML, because a fallback may contain text that HTML reads as
//! markup.

use std::fmt::Write;

use html5gum::{State, Token, Tokenizer};

use crate::sync::template::{Segment, segments};

/// Two Unicode characters for internal use, which are removed from the document first.
const OPEN: char = '\u{fdd0}';
const CLOSE: char = '\u{fdd1}';

/// A document with numbered placeholders, and the tags by number.
pub(super) struct StandIns<'a> {
    html: String,
    tags: Vec<&'a str>,
}

impl<'a> StandIns<'a> {
    pub(super) fn of(html: &'a str) -> Self {
        let mut stand_ins = Self { html: String::with_capacity(html.len()), tags: Vec::new() };
        for segment in segments(html) {
            match segment {
                Segment::Literal(text) => {
                    stand_ins.html.extend(text.chars().filter(|c| !matches!(*c, OPEN | CLOSE)));
                }
                Segment::Tag(_, raw) => {
                    let number = stand_ins.tags.len();
                    // Writing to a string does not fail.
                    write!(stand_ins.html, "{OPEN}{number}{CLOSE}").ok();
                    stand_ins.tags.push(raw);
                }
            }
        }
        stand_ins
    }

    /// The document with placeholders.
    pub(super) fn html(&self) -> &str {
        &self.html
    }

    /// The text with its tags put back, each at most once: a document may contain placeholders as character references, and
    /// repeating a long tag for each of them would make its text unboundedly long.
    pub(super) fn put_back(&self, text: &str) -> String {
        let mut left: Vec<Option<&str>> = self.tags.iter().copied().map(Some).collect();
        let mut pieces = text.split(OPEN);
        let mut whole = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (number, after) = piece.split_once(CLOSE).unwrap_or(("", piece));
            let tag = number.parse().ok().and_then(|number: usize| left.get_mut(number)?.take());
            whole.push_str(&tag.map(as_text).unwrap_or_default());
            whole.push_str(after);
        }
        whole
    }
}

/// A tag in plain text, with its HTML references decoded, unless it would then no longer be a tag.
fn as_text(tag: &str) -> String {
    if !tag.contains('&') {
        return tag.to_owned();
    }
    let mut tokens = Tokenizer::new(tag);
    // In this state tags are text, and references are read.
    tokens.set_state(State::RcData);
    let mut text = String::with_capacity(tag.len());
    for token in tokens {
        let Ok(token) = token;
        if let Token::String(part) = token {
            text.push_str(&String::from_utf8_lossy(&part));
        }
    }
    if matches!(segments(&text).as_slice(), [Segment::Tag(..)]) { text } else { tag.to_owned() }
}
