//! The beginning of a text that is too long to be shown among others.

/// The first `max` characters and an ellipsis, when the text has more.
pub(crate) fn excerpt(text: &str, max: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(max)?;
    Some(format!("{}…", text.get(..end)?))
}

/// The text, or its excerpt when it is longer.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    excerpt(text, max).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{excerpt, shortened};

    #[test]
    fn only_longer_texts_are_cut_and_never_inside_a_character() {
        assert_eq!(excerpt("äöü", 3), None);
        assert_eq!(excerpt("äöü", 2).as_deref(), Some("äö…"));
        assert_eq!((shortened("ä", 1), shortened("äö", 0)), ("ä".to_owned(), "…".to_owned()));
    }
}
