//! JSON with line breaks and indentation. Everything else stays as it was sent, such as the digits of a number.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// How much longer a text may become: this many times, and by this many bytes. The indentation of deeply nested
/// brackets grows with the square of their number.
const MAX_TIMES: usize = 4;
const MAX_MORE: usize = 4 << 10;

/// The text indented, if it is JSON and does not become much longer.
pub(super) fn indented(text: &str) -> Cow<'_, str> {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return Cow::Borrowed(text);
    }
    let most = text.len().saturating_mul(MAX_TIMES).saturating_add(MAX_MORE);
    let mut writer = Writer::default();
    for letter in text.chars() {
        writer.take(letter);
        if writer.text.len() > most {
            return Cow::Borrowed(text);
        }
    }
    Cow::Owned(writer.text)
}

#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// Whether a bracket has just been opened.
    is_open: bool,
}

impl Writer {
    fn take(&mut self, letter: char) {
        if self.is_in_string {
            self.text.push(letter);
            self.is_in_string = self.is_escaped || letter != '"';
            self.is_escaped = !self.is_escaped && letter == '\\';
            return;
        }
        match letter {
            letter if letter.is_ascii_whitespace() => return,
            '}' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                if !self.is_open {
                    self.break_line();
                }
            }
            _ if self.is_open => self.break_line(),
            _ => {}
        }
        self.is_open = matches!(letter, '{' | '[');
        self.is_in_string = letter == '"';
        self.text.push(letter);
        match letter {
            '{' | '[' => self.depth += 1,
            ',' => self.break_line(),
            ':' => self.text.push(' '),
            _ => {}
        }
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn json_is_indented_and_otherwise_unchanged() {
        let text = r#"{"b":1.50,"a":[{},[],"x,{\"}\\",null],"c" : { "d":true}}"#;
        let expected = r#"{
  "b": 1.50,
  "a": [
    {},
    [],
    "x,{\"}\\",
    null
  ],
  "c": {
    "d": true
  }
}"#;
        assert_eq!(indented(text), expected);
        assert_eq!(indented("\"a b\""), "\"a b\"");
    }

    #[test]
    fn deeply_nested_json_is_unchanged() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(indented(&nested(20)).contains('\n'));
        assert_eq!(indented(&nested(8000)), nested(8000));
    }

    #[test]
    fn text_that_is_not_json_is_unchanged() {
        for text in ["", "<p>{}</p>", "{\"a\":", "OK"] {
            assert_eq!(indented(text), text);
        }
    }
}
