//! A platform's error message as logs may have it.

use super::result::ErrorMessage;

/// The longest message in a log, in code points.
const MAX_LOGGED: usize = 500;

/// A word of this many code points with a digit may be a token.
const TOKEN: usize = 16;

/// Replaces a word.
const WITHHELD: &str = "[…]";

impl ErrorMessage {
    /// The message on one line, at most 500 code points, for logs: without control characters, and without words that
    /// may contain an email address or a token.
    #[must_use]
    pub fn redacted(&self) -> String {
        let mut line = String::new();
        for word in self.as_str().split(|c: char| c.is_whitespace() || c.is_control()) {
            let word = if is_withheld(word) { WITHHELD } else { word };
            if !word.is_empty() {
                line.extend((!line.is_empty()).then_some(' '));
                line.push_str(word);
            }
        }
        if let Some((end, _)) = line.char_indices().nth(MAX_LOGGED) {
            line.truncate(end);
            line.push('…');
        }
        line
    }
}

fn is_withheld(word: &str) -> bool {
    let has_at = word.contains(['@', '＠']) || word.contains("%40");
    has_at || (word.chars().count() >= TOKEN && word.chars().any(char::is_numeric))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::input::FromText;
    use crate::sync::ErrorMessage;

    fn redacted(text: &str) -> String {
        ErrorMessage::from_text(text).expect("a message").redacted()
    }

    #[test]
    fn words_stay_and_addresses_and_tokens_do_not() {
        for (message, logged) in [
            ("The list  is\n\tarchived.", "The list is archived."),
            ("No list of <ann@example.com> is open.", "No list of […] is open."),
            ("{\"to\":\"ann%40example.com\"} refused", "[…] refused"),
            ("token hub_0123456789abcdef expired", "token […] expired"),
            ("Error 4711: unauthenticated-request", "Error 4711: unauthenticated-request"),
            ("\u{1b}[31mred", "[31mred"),
        ] {
            assert_eq!(redacted(message), logged, "{message:?}");
        }
        assert_eq!(redacted(&"é ".repeat(2000)).chars().count(), 501);
    }

    proptest! {
        #[test]
        fn no_address_and_no_control_character_is_left(text in "[ -~\n\u{1b}é]{0,40} ?[a-z]{1,9}@[a-z]{1,9} ?.{0,40}") {
            let line = ErrorMessage::from_text(&text).map(|message| message.redacted());
            if let Ok(line) = line {
                prop_assert!(!line.contains('@') && !line.contains(char::is_control), "{line:?}");
            }
        }
    }
}
