//! Twilio `SendGrid`: Handlebars, `{{insert first_name "default=there"}}`.
//!
//! Sources:
//!
//! - `insert`: «Default syntax for substitution tags»
//!   <https://twilio.com/en-us/changelog/default-syntax-for-substitution-tags>
//! - conditions: «Using Handlebars»
//!   <https://twilio.com/docs/sendgrid/for-developers/sending-email/using-handlebars>
//! - `{{{unsubscribe}}}` and `{{{weblink}}}`: seen in published designs
//!
//! A fallback that does not fit between plain quotes, or that HTML escaping would change, is the other branch of a
//! condition instead. The field `jobTitle` is the custom field `job_title`.

use super::{handlebars, spelling};
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let field = match tag.name() {
        MergeTagName::FirstName => "first_name".to_owned(),
        MergeTagName::LastName => "last_name".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => handlebars::segment(&spelling::snake(key)),
        MergeTagName::UnsubscribeUrl => return "{{{unsubscribe}}}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{{weblink}}}".to_owned(),
    };
    handlebars::helped(&field, tag.fallback(), ["{{insert ", " \"default=", "\"}}"])
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{first_name}}"),
            ("{{last_name}}", "{{last_name}}"),
            ("{{email}}", "{{email}}"),
            ("{{field:jobTitle}}", "{{job_title}}"),
            ("{{field:jobTitle|expert}}", "{{insert job_title \"default=expert\"}}"),
            ("{{first_name|there}}", "{{insert first_name \"default=there\"}}"),
            ("{{first_name|{a|b} 100%}}", "{{insert first_name \"default={a|b} 100%\"}}"),
            (
                "{{first_name|it's \"a\" {c}\nnow}}",
                "{{#if first_name}}{{first_name}}{{else}}it's \"a\" {c}\nnow{{/if}}",
            ),
            ("{{unsubscribe_url}}", "{{{unsubscribe}}}"),
            ("{{view_online_url|x}}", "{{{weblink}}}"),
        ] {
            assert_eq!(convert(template, Platform::Sendgrid, None), expected);
        }
    }
}
