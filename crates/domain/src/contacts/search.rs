//! Free-text search.

use super::Folded;
use crate::text;
use crate::violations::Problem;

/// The longest search, in code points after trimming.
pub const MAX_SEARCH: usize = 256;

/// The maximum number of terms of a search.
pub const MAX_SEARCH_TERMS: usize = 8;

/// A term of at least this many characters matches anywhere in a text. A shorter one matches the beginning only, so
/// that an index finds the matches and no search reads every contact.
pub const MIN_SUBSTRING: usize = 3;

/// One word of a search. It is compared with the folded email, first name and last name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchTerm {
    /// Matches a text that contains it; it has at least [`MIN_SUBSTRING`] characters.
    Within(Folded),
    /// Matches a text that begins with it.
    Beginning(Folded),
}

impl SearchTerm {
    fn of(word: &str) -> Self {
        let folded = Folded::of(word);
        if folded.as_str().chars().count() < MIN_SUBSTRING {
            Self::Beginning(folded)
        } else {
            Self::Within(folded)
        }
    }
}

/// At most [`MAX_SEARCH_TERMS`] terms. A contact matches when each of them matches its email, first name or last name;
/// without terms every contact does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search(Vec<SearchTerm>);

impl Search {
    /// Splits a text at the characters that [`text::trimmed`] removes.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let text = text::bounded(text::trimmed(text), MAX_SEARCH)?;
        let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}');
        let terms = text.split(is_space).filter(|term| !term.is_empty());
        let terms: Vec<SearchTerm> = terms.map(SearchTerm::of).collect();
        if terms.len() > MAX_SEARCH_TERMS {
            return Err(Problem::new(format!("must have at most {MAX_SEARCH_TERMS} terms")));
        }
        Ok(Self(terms))
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[SearchTerm] {
        &self.0
    }

    /// The character, if one character is all that is searched for. The contacts that have it among their
    /// [counted texts](super::Contact::count_texts) match.
    #[must_use]
    pub fn only_character(&self) -> Option<char> {
        let [SearchTerm::Beginning(prefix)] = &self.0[..] else { return None };
        let mut characters = prefix.as_str().chars();
        characters.next().filter(|_| characters.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::{Search, SearchTerm};

    fn read(text: &str) -> Option<Vec<String>> {
        let search = Search::parse(text).ok()?;
        let terms = search.terms().iter().map(|term| match term {
            SearchTerm::Within(part) => part.as_str().to_owned(),
            SearchTerm::Beginning(prefix) => format!("^{}", prefix.as_str()),
        });
        Some(terms.collect())
    }

    #[test]
    fn splits_and_folds() {
        let terms = read(" Ann\u{2003}O'HARA  %_ ÄB\t").expect("valid");
        assert_eq!(terms, ["ann", "o'hara", "^%_", "^äb"]);
        for nothing in ["", "  \u{feff}"] {
            assert_eq!(read(nothing), Some(Vec::new()), "{nothing:?}");
        }
    }

    #[test]
    fn a_term_of_one_or_two_characters_matches_a_beginning() {
        assert_eq!(read("徐 an ann 🎂🎂").expect("valid"), ["^徐", "^an", "ann", "^🎂🎂"]);
    }

    #[test]
    fn a_single_character_is_counted_after_folding() {
        let only = |text| Search::parse(text).expect("valid").only_character();
        assert_eq!([" A ", "徐", "%"].map(only), [Some('a'), Some('徐'), Some('%')]);
        assert_eq!(["", "ab", "abc", "a b", "a a"].map(only), [None; 5]);
    }

    #[test]
    fn length_and_number_of_terms_are_bounded() {
        let text = |length: usize| format!(" {} ", "é".repeat(length));
        assert!(read(&text(256)).is_some());
        assert!(read(&text(257)).is_none());
        assert!(read("1 2 3 4 5 6 7 8").is_some());
        assert!(read("1 2 3 4 5 6 7 8 9").is_none());
    }
}
