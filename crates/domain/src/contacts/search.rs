//! Free-text search.

use super::Folded;
use crate::query::{Parameter, Query};
use crate::text;
use crate::violations::{Problem, Violations};

/// The longest search, in code points after trimming.
pub const MAX_SEARCH: usize = 256;

/// The most terms of a search.
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

    /// Reads `search`; if repeated, the last one counts. Brackets are rejected, because a malformed search must not
    /// return all contacts.
    pub fn read(query: Query<'_>, violations: &mut Violations) -> Self {
        let Some(last) = query.named("search").last() else {
            return Self::default();
        };
        violations.collect("search", Self::of(&last)).unwrap_or_default()
    }

    fn of(parameter: &Parameter<'_>) -> Result<Self, Problem> {
        match parameter.segments().as_deref() {
            Some([]) => Self::parse(&parameter.value()?),
            _ => Err(Problem::new("must be one text")),
        }
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[SearchTerm] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Search, SearchTerm};
    use crate::query::Query;
    use crate::violations::Violations;

    fn read(raw: &str) -> Option<Vec<String>> {
        let mut violations = Violations::default();
        let search = Search::read(Query::parse(raw), &mut violations);
        let terms = search.terms().iter().map(|term| match term {
            SearchTerm::Within(part) => part.as_str().to_owned(),
            SearchTerm::Beginning(prefix) => format!("^{}", prefix.as_str()),
        });
        violations.is_empty().then(|| terms.collect())
    }

    #[test]
    fn splits_and_folds() {
        let terms = read("search=+Ann%E2%80%83O'HARA++%25_+ÄB%09").expect("valid");
        assert_eq!(terms, ["ann", "o'hara", "^%_", "^äb"]);
        for nothing in ["", "search=", "search", "search=+%20%EF%BB%BF", "searching=x"] {
            assert_eq!(read(nothing), Some(Vec::new()), "{nothing}");
        }
        assert_eq!(read("search=a&search=b"), Some(vec!["^b".to_owned()]));
    }

    #[test]
    fn a_term_of_one_or_two_characters_matches_a_beginning() {
        let terms = read("search=%E5%BE%90+an+ann+%F0%9F%8E%82%F0%9F%8E%82").expect("valid");
        assert_eq!(terms, ["^徐", "^an", "ann", "^🎂🎂"]);
    }

    #[test]
    fn is_bounded() {
        let text = |length: usize| format!("search=+{}+", "%C3%A9".repeat(length));
        assert!(read(&text(256)).is_some());
        assert!(read(&text(257)).is_none());
        assert!(read("search=1+2+3+4+5+6+7+8").is_some());
        assert!(read("search=1+2+3+4+5+6+7+8+9").is_none());
        for bad in ["search[]=a", "search[x]=a", "search[=a", "search=%ff", "search=%00"] {
            assert!(read(bad).is_none(), "{bad}");
        }
    }
}
