//! Liquid on any platform, and what the platforms that speak Liquid share: `{{ first_name | default: 'there' }}`.
//!
//! Sources:
//!
//! - the filter: «default»
//!   <https://shopify.github.io/liquid/filters/default/>
//! - the tag: «Variable: capture»
//!   <https://shopify.github.io/liquid/tags/variable/>
//!
//! A string has no escapes, so it is quoted with the quote that it does not contain. The first closing brace may end an
//! output, even inside a string. A fallback with both quotes, a brace or a line break is therefore captured first, and
//! in that capture each opening brace is an output of its own.
//!
//! Names are the tags' own: `first_name`, `last_name`, `email`, `unsubscribe_url`, `view_online_url`, and
//! `fields.jobTitle` for a field. A name with other characters than ASCII letters, digits and underscores is in
//! brackets.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

const CAPTURED: &str = "merge_tag_fallback";

pub(crate) fn express(tag: &MergeTag) -> String {
    let path = match tag.name() {
        MergeTagName::FirstName => "first_name".to_owned(),
        MergeTagName::LastName => "last_name".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => spelling::member("fields", key.as_str()),
        MergeTagName::UnsubscribeUrl => return "{{ unsubscribe_url }}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{ view_online_url }}".to_owned(),
    };
    output(&path, tag.fallback())
}

/// The value at a path, or the fallback.
pub(super) fn output(path: &str, fallback: Option<&str>) -> String {
    let Some(fallback) = fallback else {
        return ["{{ ", path, " }}"].concat();
    };
    let (before, argument) = argument(fallback);
    [&before, "{{ ", path, " | default: ", &argument, " }}"].concat()
}

/// The text that a fallback needs before the output, and the fallback as a filter's argument.
pub(super) fn argument(fallback: &str) -> (String, String) {
    if let Some(literal) = literal(fallback) {
        return (String::new(), literal);
    }
    let text = as_text(fallback);
    let capture = ["{% capture ", CAPTURED, " %}", &text, "{% endcapture %}"].concat();
    (capture, CAPTURED.to_owned())
}

/// A string literal, when one can hold the text.
pub(super) fn literal(text: &str) -> Option<String> {
    let quote = ["'", "\""].into_iter().find(|quote| !text.contains(quote))?;
    let holds = !text.contains(|c: char| matches!(c, '{' | '}') || c.is_control());
    holds.then(|| [quote, text, quote].concat())
}

/// Text of a template that shows as it is.
pub(super) fn as_text(text: &str) -> String {
    text.replace('{', "{{ '{' }}")
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{ first_name }}"),
            ("{{last_name}}", "{{ last_name }}"),
            ("{{email}}", "{{ email }}"),
            ("{{field:jobTitle}}", "{{ fields.jobTitle }}"),
            ("{{field:2ndÉtat}}", "{{ fields['2ndÉtat'] }}"),
            ("{{field:jobTitle|expert}}", "{{ fields.jobTitle | default: 'expert' }}"),
            ("{{first_name|there}}", "{{ first_name | default: 'there' }}"),
            ("{{first_name|it's 100% | x}}", "{{ first_name | default: \"it's 100% | x\" }}"),
            (
                "{{first_name|it's \"a\"}}",
                "{% capture merge_tag_fallback %}it's \"a\"{% endcapture %}\
                 {{ first_name | default: merge_tag_fallback }}",
            ),
            (
                "{{first_name|{% x %}\n{c} d}}",
                "{% capture merge_tag_fallback %}{{ '{' }}% x %}\n{{ '{' }}c} d{% endcapture %}\
                 {{ first_name | default: merge_tag_fallback }}",
            ),
            ("{{unsubscribe_url}}", "{{ unsubscribe_url }}"),
            ("{{view_online_url|x}}", "{{ view_online_url }}"),
        ] {
            assert_eq!(convert(template, Platform::Liquid, None), expected);
        }
    }
}
