//! `HubSpot`: its language `HubL`, `{{ contact.firstname }}` or `{{ personalization_token('contact.firstname', 'there')
//! }}`.
//!
//! Sources:
//!
//! - `personalization_token`: «`HubL` functions»
//!   <https://developers.hubspot.com/docs/cms/reference/hubl/functions#personalization-token>
//! - `contact`, `unsubscribe_link`, `view_as_page_url`: «`HubL` variables»
//!   <https://developers.hubspot.com/docs/cms/reference/hubl/variables>
//! - that filters, thus `default`, do not work on tokens in emails: «`HubL` filters»
//!   <https://knowledge.hubspot.com/articles/kcs_article/cos-pages-editor/can-i-use-thead-th-and-tbody-tags-in-hubspot>
//!
//! `HubL` is Jinjava, whose strings have backslash escapes and may contain braces. The field `jobTitle` is the property
//! `contact.job_title`, as the property «Job Title» is named by default.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let property = match tag.name() {
        MergeTagName::FirstName => "firstname".to_owned(),
        MergeTagName::LastName => "lastname".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => spelling::snake(key),
        MergeTagName::UnsubscribeUrl => return "{{ unsubscribe_link }}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{ view_as_page_url }}".to_owned(),
    };
    match tag.fallback() {
        None => ["{{ contact.", &property, " }}"].concat(),
        Some(fallback) => {
            let fallback = escaped(fallback);
            ["{{ personalization_token('contact.", &property, "', '", &fallback, "') }}"].concat()
        }
    }
}

fn escaped(fallback: &str) -> String {
    fallback.replace('\\', r"\\").replace('\'', r"\'").replace('\n', r"\n").replace('\r', r"\r")
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{ contact.firstname }}"),
            ("{{last_name}}", "{{ contact.lastname }}"),
            ("{{email}}", "{{ contact.email }}"),
            ("{{field:jobTitle}}", "{{ contact.job_title }}"),
            (
                "{{field:jobTitle|expert}}",
                "{{ personalization_token('contact.job_title', 'expert') }}",
            ),
            ("{{first_name|there}}", "{{ personalization_token('contact.firstname', 'there') }}"),
            (
                "{{first_name|it's \"a|b\" {c} 100% \\\nnow}}",
                r#"{{ personalization_token('contact.firstname', 'it\'s "a|b" {c} 100% \\\nnow') }}"#,
            ),
            ("{{unsubscribe_url}}", "{{ unsubscribe_link }}"),
            ("{{view_online_url|x}}", "{{ view_as_page_url }}"),
        ] {
            assert_eq!(convert(template, Platform::Hubspot, None), expected);
        }
    }
}
