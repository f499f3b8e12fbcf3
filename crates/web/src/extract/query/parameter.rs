//! The parameters of a query, found by name.

use std::borrow::Cow;

use contact_hub_domain::violations::Problem;

use super::decoding;

/// The query of a request, without its question mark. Parameters are decoded only when they are read, so unknown ones
/// cost little.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Query<'a>(&'a str);

/// One parameter: `name[segment][segment]…=value`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'a> {
    key: Cow<'a, str>,
    encoded_value: &'a str,
}

impl<'a> Query<'a> {
    /// Takes an undecoded query. Every text is a query.
    pub(crate) const fn parse(raw: &'a str) -> Self {
        Self(raw)
    }

    /// Every parameter, in the order in which they were sent.
    pub(crate) fn parameters(self) -> impl Iterator<Item = Parameter<'a>> {
        let pairs = self.0.split('&').filter(|pair| !pair.is_empty());
        pairs.map(|pair| {
            let (key, encoded_value) = split(pair);
            Parameter { key: decoding::key(key), encoded_value }
        })
    }

    /// The parameters whose key is `name` or begins with `name[`.
    pub(crate) fn named(self, name: &str) -> impl Iterator<Item = Parameter<'a>> {
        self.parameters().filter(move |parameter| parameter.name() == name)
    }
}

impl Parameter<'_> {
    /// The text before the first bracket.
    pub(crate) fn name(&self) -> &str {
        self.key.split('[').next().unwrap_or_default()
    }

    /// The contents of the brackets; `None` when they are unbalanced.
    pub(crate) fn segments(&self) -> Option<Vec<&str>> {
        let mut segments = Vec::new();
        let Some((_, mut rest)) = self.key.split_once('[') else {
            return Some(segments);
        };
        loop {
            let (segment, after) = rest.split_once(']')?;
            segments.push(segment);
            if after.is_empty() {
                return Some(segments);
            }
            rest = after.strip_prefix('[')?;
        }
    }

    /// The name and the segments, joined by dots. Empty segments are left out, and all of them if the brackets are
    /// unbalanced.
    pub(crate) fn path(&self) -> String {
        let segments = self.segments().unwrap_or_default();
        let filled = segments.into_iter().filter(|segment| !segment.is_empty());
        std::iter::once(self.name()).chain(filled).collect::<Vec<_>>().join(".")
    }

    /// The decoded value: UTF-8 text without NUL.
    pub(crate) fn value(&self) -> Result<String, Problem> {
        decoding::value(self.encoded_value)
    }
}

/// Splits at the first `=`. A key may end with the operators `[=]`, `[!=]`, `[<=]` and `[>=]`; their `=` does not split.
fn split(pair: &str) -> (&str, &str) {
    let Some((key, value)) = pair.split_once('=') else {
        return (pair, "");
    };
    let behind_bracket =
        ["]=", "%5D=", "%5d="].into_iter().find_map(|closing| value.strip_prefix(closing));
    let opens = || {
        let key = decoding::key(key);
        ["[", "[!", "[<", "[>"].iter().any(|opening| key.ends_with(opening))
    };
    match behind_bracket {
        Some(value) if opens() => {
            let key = pair.strip_suffix(value).unwrap_or(pair);
            (key.strip_suffix('=').unwrap_or(key), value)
        }
        _ => (key, value),
    }
}

/// Parses digits. A number that does not fit becomes the largest integer.
pub(super) fn integer(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().unwrap_or(u64::MAX))
}

/// The number that a parameter has, from 1 to `max`.
pub(crate) fn integer_within(parameter: &Parameter<'_>, max: u64) -> Result<u64, Problem> {
    let number = integer(&parameter.value()?).filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| Problem::new(format!("must be an integer from 1 to {max}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Query, integer};

    fn only(raw: &str) -> (String, Option<Vec<String>>, String) {
        let parameter = Query::parse(raw).parameters().next().expect(raw);
        let segments = parameter.segments();
        let segments = segments.map(|all| all.into_iter().map(str::to_owned).collect());
        (parameter.path(), segments, parameter.value().expect("a value"))
    }

    #[test]
    fn brackets_may_be_plain_or_encoded() {
        for raw in [
            "filter[email][value][]=a%20b",
            "filter%5Bemail%5D%5Bvalue%5D%5B%5D=a+b",
            "%66ilter[email%5d[value][%5D=a b",
        ] {
            let (path, segments, value) = only(raw);
            assert_eq!(path, "filter.email.value");
            assert_eq!(segments.expect(raw), ["email", "value", ""]);
            assert_eq!(value, "a b");
        }
    }

    #[test]
    fn an_operator_in_brackets_may_contain_the_equals_sign() {
        for (raw, path, value) in [
            ("filter[email][=]=x", "filter.email.=", "x"),
            ("filter[email][!=]=x=]=y", "filter.email.!=", "x=]=y"),
            ("filter%5bemail%5d%5b%21=%5d=x", "filter.email.!=", "x"),
            ("filter[email]=]=x", "filter.email", "]=x"),
            ("filter[email][operator]==", "filter.email.operator", "="),
            ("filter[email][=]", "filter", "]"),
        ] {
            let (found, _, sent) = only(raw);
            assert_eq!((found.as_str(), sent.as_str()), (path, value), "{raw}");
        }
    }

    #[test]
    fn brackets_that_do_not_match_have_no_segments() {
        for raw in ["filter[", "filter[email", "filter[a]b[c]", "filter[a[b]]"] {
            assert_eq!(only(raw).1, None, "{raw}");
            assert_eq!(only(raw).0, "filter");
        }
        assert_eq!(only("search").1, Some(Vec::new()));
    }

    #[test]
    fn finds_by_name_in_order() {
        let query = Query::parse("a=1&&b=2&a[x]=3&ab=4&a%5By]=5&=6");
        let values: Vec<_> = query.named("a").map(|it| it.value().expect("text")).collect();
        assert_eq!(values, ["1", "3", "5"]);
    }

    #[test]
    fn integers_are_plain_digits() {
        assert_eq!(integer("007"), Some(7));
        assert_eq!(integer(&"9".repeat(5000)), Some(u64::MAX));
        for text in ["", " 1", "+1", "-1", "1.0", "1e3", "0x1", "１"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_as_a_query(raw in "\\PC*", odd in "[filter\\[\\]=&%5BD!]{0,60}") {
            for raw in [raw, odd] {
                for parameter in Query::parse(&raw).parameters() {
                    let _ = (parameter.path(), parameter.segments(), parameter.value());
                }
            }
        }
    }
}
