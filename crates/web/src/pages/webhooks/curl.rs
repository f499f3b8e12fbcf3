//! A request as a command for a POSIX shell.

use std::fmt::Write as _;

/// The command that sends a payload with these headers.
pub(super) fn curl<'a>(
    url: &str,
    headers: impl Iterator<Item = (&'a str, &'a str)>,
    payload: &str,
) -> String {
    let mut command = format!("curl -X POST {}", quoted(url));
    for (name, value) in headers {
        // Writing to a text cannot fail.
        let _ = write!(command, " \\\n  -H {}", quoted(&format!("{name}: {value}")));
    }
    let _ = write!(command, " \\\n  --data-raw {}", quoted(payload));
    command
}

/// The text as one word of a shell, regardless of its content.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::curl;

    #[test]
    fn requests_are_escaped_for_the_shell() {
        let headers = [("webhook-id", "1")];
        let command = curl("https://a.example/?x=$(y)", headers.into_iter(), "{\"a\":\"it's\"}");
        let expected = "curl -X POST 'https://a.example/?x=$(y)' \\\n  -H 'webhook-id: 1' \\\n  \
             --data-raw '{\"a\":\"it'\\''s\"}'";
        assert_eq!(command, expected);
    }
}
