//! Salesforce Account Engagement (Pardot): Handlebars Merge Language, `{{Recipient.FirstName}}`.
//!
//! Sources:
//!
//! - conditions: «Handlebars Merge Language (HML)»
//!   <https://sdworx-salesforce.helpdocs.io/article/bdttylc1sr-handlebars-merge-language-hml>
//! - fields: «How to Use Pardot Conditional HML»
//!   <https://parquet.dev/how-to-use-pardot-conditional-hml/>
//! - `{{Unsubscribe}}` and `{{View_Online}}`: seen in published HML templates
//!
//! There is no inline default, so a fallback is the other branch of a condition, in which it is template text and
//! escaped as Handlebars escapes it. The field `jobTitle` is `Recipient.JobTitle`.

use super::{handlebars, spelling};
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let field = match tag.name() {
        MergeTagName::FirstName => "Recipient.FirstName".to_owned(),
        MergeTagName::LastName => "Recipient.LastName".to_owned(),
        MergeTagName::Email => "Recipient.Email".to_owned(),
        MergeTagName::Field(key) => ["Recipient.", &spelling::pascal(key)].concat(),
        MergeTagName::UnsubscribeUrl => return "{{Unsubscribe}}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{View_Online}}".to_owned(),
    };
    match tag.fallback() {
        None => handlebars::value(&field),
        Some(fallback) => handlebars::value_or(&field, fallback),
    }
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{Recipient.FirstName}}"),
            ("{{last_name}}", "{{Recipient.LastName}}"),
            ("{{email}}", "{{Recipient.Email}}"),
            ("{{field:jobTitle}}", "{{Recipient.JobTitle}}"),
            (
                "{{field:jobTitle|expert}}",
                "{{#if Recipient.JobTitle}}{{Recipient.JobTitle}}{{else}}expert{{/if}}",
            ),
            (
                "{{first_name|there}}",
                "{{#if Recipient.FirstName}}{{Recipient.FirstName}}{{else}}there{{/if}}",
            ),
            (
                "{{first_name|it's \"a|b\" {c} 100%\nnow}}",
                "{{#if Recipient.FirstName}}{{Recipient.FirstName}}{{else}}it's \"a|b\" {c} 100%\nnow{{/if}}",
            ),
            ("{{unsubscribe_url}}", "{{Unsubscribe}}"),
            ("{{view_online_url|x}}", "{{View_Online}}"),
        ] {
            assert_eq!(convert(template, Platform::Pardot, None), expected);
        }
    }
}
