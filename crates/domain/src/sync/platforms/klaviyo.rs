//! Klaviyo: Django's template language, `{{ first_name|default:'there' }}`.
//!
//! Sources:
//!
//! - `person|lookup` and conditions: «Use conditionals in messages»
//!   <https://developers.klaviyo.com/en/docs/use-conditionals-in-messages>
//! - that Django's built-in filters work: «Django filter glossary»
//!   <https://developers.klaviyo.com/en/docs/glossary_of_variable_filters>
//! - `{% unsubscribe_link %}`: «How to add an unsubscribe link»
//!   <https://help.klaviyo.com/hc/en-us/articles/115006054267>
//! - `{% web_view_link %}`: seen in published templates
//!
//! A tag must be on one line and ends at its first closing braces, even inside a string. So a fallback that does not
//! fit into a plain string is the other branch of a condition, with each opening brace as a separate output. The field
//! `jobTitle` is the property `Job Title`.

use super::{liquid, spelling};
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let value = match tag.name() {
        MergeTagName::FirstName => "first_name".to_owned(),
        MergeTagName::LastName => "last_name".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => ["person|lookup:'", &spelling::titled(key), "'"].concat(),
        MergeTagName::UnsubscribeUrl => return "{% unsubscribe_link %}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{% web_view_link %}".to_owned(),
    };
    let Some(fallback) = tag.fallback() else {
        return ["{{ ", &value, " }}"].concat();
    };
    // A backslash is an escape in Django's strings and none in Liquid's.
    let literal = liquid::literal(fallback).filter(|literal| !literal.contains('\\'));
    if let Some(literal) = literal {
        return ["{{ ", &value, "|default:", &literal, " }}"].concat();
    }
    let text = liquid::as_text(fallback);
    format!("{{% if {value} %}}{{{{ {value} }}}}{{% else %}}{text}{{% endif %}}")
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
            ("{{field:jobTitle}}", "{{ person|lookup:'Job Title' }}"),
            ("{{field:jobTitle|expert}}", "{{ person|lookup:'Job Title'|default:'expert' }}"),
            ("{{first_name|there}}", "{{ first_name|default:'there' }}"),
            ("{{first_name|it's|%}}", "{{ first_name|default:\"it's|%\" }}"),
            ("{{first_name|a\\b}}", "{% if first_name %}{{ first_name }}{% else %}a\\b{% endif %}"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\nnow}}",
                "{% if first_name %}{{ first_name }}{% else %}\
                 it's \"a|b\" {{ '{' }}c} 100%\nnow{% endif %}",
            ),
            ("{{unsubscribe_url}}", "{% unsubscribe_link %}"),
            ("{{view_online_url|x}}", "{% web_view_link %}"),
        ] {
            assert_eq!(convert(template, Platform::Klaviyo, None), expected);
        }
    }
}
