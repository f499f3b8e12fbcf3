//! Addresses of PostgreSQL and their passwords.

use percent_encoding::percent_decode_str;

/// An address without its password, and the password.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) url: String,
    pub(crate) password: Option<String>,
}

impl Address {
    /// Splits an address of libpq: `postgres://<user>:<password>@<hosts>/<database>?<parameters>`.
    pub(crate) fn of(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        // As libpq reads it: what precedes the first `@` belongs to the user, so a password may contain a question mark.
        let (user, rest) = match rest.split_once('@') {
            Some((user, rest)) if !user.contains('/') => (user, rest),
            _ => ("", rest),
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (hosts, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let (user, mut password) = match user.split_once(':') {
            Some((user, password)) => (user, Some(decoded(password))),
            None => (user, None),
        };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let is_secret =
            |pair: &&str| decoded(pair.split_once('=').unwrap_or((pair, "")).0) == "password";
        let (secret, kept): (Vec<&str>, Vec<&str>) =
            query.split('&').filter(|pair| !pair.is_empty()).partition(is_secret);
        if let Some((_, given)) = secret.last().and_then(|pair| pair.split_once('=')) {
            password = Some(decoded(given));
        }
        let at = if user.is_empty() { "" } else { "@" };
        let mark = if kept.is_empty() { "" } else { "?" };
        let url = format!("{scheme}://{user}{at}{hosts}{path}{mark}{}", kept.join("&"));
        Self { url, password }
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_password_is_separated_from_the_address() {
        for (given, url, password) in [
            ("postgres://h/d", "postgres://h/d", None),
            ("postgres://u@h:1/d?a=b", "postgres://u@h:1/d?a=b", None),
            ("postgres://u:p%40%2Fs@h/d", "postgres://u@h/d", Some("p@/s")),
            (
                "postgresql://u:a+b@h1,h2:5/d?x=1&y=2",
                "postgresql://u@h1,h2:5/d?x=1&y=2",
                Some("a+b"),
            ),
            ("postgres://u@h/d?password=s%26&x=1", "postgres://u@h/d?x=1", Some("s&")),
            ("postgres://u:p@h?password=q", "postgres://u@h", Some("q")),
            ("postgres:///d?host=/tmp", "postgres:///d?host=/tmp", None),
            ("postgres://u:p?w@h:1/d?a=b", "postgres://u@h:1/d?a=b", Some("p?w")),
            ("postgres://h/d?application_name=a@b", "postgres://h/d?application_name=a@b", None),
            ("postgres://u@h/d?pass%77ord=s", "postgres://u@h/d", Some("s")),
        ] {
            let expected =
                Address { url: url.to_owned(), password: password.map(ToOwned::to_owned) };
            assert_eq!(Address::of(given), expected, "{given}");
        }
    }
}
