//! Handlebars on any platform, and what the platforms that speak it share: `{{first_name}}`.
//!
//! Sources:
//!
//! - values, raw values, names in brackets: «Expressions»
//!   <https://handlebarsjs.com/guide/expressions.html>
//! - conditions: «Built-in Helpers»
//!   <https://handlebarsjs.com/guide/builtin-helpers.html>
//!
//! Handlebars itself has no default helper, so a fallback is the other branch of a condition. There it is template
//! text: it contains no two identical braces in a row and does not end in one, so only a backslash at its end, which
//! would escape what follows, is doubled.
//!
//! Names are the tags' own: `first_name`, `last_name`, `email`, `unsubscribe_url`, `view_online_url`, and
//! `fields.jobTitle` for a field. Links are raw, since escaping would spoil them in plain text.

use crate::sync::{MergeTag, MergeTagName};

/// Names that mean something else to Handlebars.
const RESERVED: [&str; 6] = ["else", "this", "true", "false", "null", "undefined"];

pub(crate) fn express(tag: &MergeTag) -> String {
    let path = match tag.name() {
        MergeTagName::FirstName => "first_name".to_owned(),
        MergeTagName::LastName => "last_name".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => ["fields.", &segment(key.as_str())].concat(),
        MergeTagName::UnsubscribeUrl => return "{{{unsubscribe_url}}}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{{view_online_url}}}".to_owned(),
    };
    match tag.fallback() {
        None => value(&path),
        Some(fallback) => value_or(&path, fallback),
    }
}

/// The value at a path.
pub(super) fn value(path: &str) -> String {
    ["{{", path, "}}"].concat()
}

/// The value at a path, or the fallback where it is missing or empty.
pub(super) fn value_or(path: &str, fallback: &str) -> String {
    let end = if fallback.ends_with('\\') { "\\" } else { "" };
    ["{{#if ", path, "}}{{", path, "}}{{else}}", fallback, end, "{{/if}}"].concat()
}

/// The value at a path, or the fallback by the platform's helper, whose call is written around path and fallback. A
/// fallback that is no plain argument is the other branch of a condition.
pub(super) fn helped(
    path: &str,
    fallback: Option<&str>,
    [before, between, after]: [&str; 3],
) -> String {
    match fallback {
        None => value(path),
        Some(text) if is_plain_argument(text) => [before, path, between, text, after].concat(),
        Some(text) => value_or(path, text),
    }
}

/// True when the text can stand between double quotes as a helper's argument and passes HTML escaping unchanged.
fn is_plain_argument(text: &str) -> bool {
    let spoils =
        |c: char| c.is_control() || matches!(c, '"' | '\'' | '\\' | '&' | '<' | '>' | '`' | '=');
    !text.contains(spoils)
}

/// A name as one step of a path.
pub(super) fn segment(name: &str) -> String {
    if RESERVED.contains(&name) || name.starts_with(char::is_numeric) {
        ["[", name, "]"].concat()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{first_name}}"),
            ("{{ last_name }}", "{{last_name}}"),
            ("{{email}}", "{{email}}"),
            ("{{field:jobTitle}}", "{{fields.jobTitle}}"),
            ("{{field:2nd}}", "{{fields.[2nd]}}"),
            ("{{field:else}}", "{{fields.[else]}}"),
            (
                "{{field:jobTitle|expert}}",
                "{{#if fields.jobTitle}}{{fields.jobTitle}}{{else}}expert{{/if}}",
            ),
            ("{{first_name|there}}", "{{#if first_name}}{{first_name}}{{else}}there{{/if}}"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\nnow\\}}",
                "{{#if first_name}}{{first_name}}{{else}}it's \"a|b\" {c} 100%\nnow\\\\{{/if}}",
            ),
            ("{{unsubscribe_url}}", "{{{unsubscribe_url}}}"),
            ("{{view_online_url|x}}", "{{{view_online_url}}}"),
        ] {
            assert_eq!(convert(template, Platform::Handlebars, None), expected);
        }
    }
}
