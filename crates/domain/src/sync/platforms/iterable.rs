//! Iterable: Handlebars with helpers of its own, `{{defaultIfEmpty firstName "there"}}`.
//!
//! Sources:
//!
//! - fields, names in brackets, `defaultIfEmpty`: «Personalizing Templates with Handlebars»
//!   <https://support.iterable.com/hc/en-us/articles/205480365-Personalizing-Templates-with-Handlebars>
//! - `unsubscribeUrl`, `viewInBrowserUrl`: «Handlebars for Iterable»
//!   <https://gist.github.com/cdlewis/ab75ad2a1e821a5a985a>
//!
//! A fallback that does not fit between plain quotes, or that HTML escaping would change, is the other branch of a
//! condition instead. The field `jobTitle` is `jobTitle`.

use super::handlebars;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let field = match tag.name() {
        MergeTagName::FirstName => "firstName".to_owned(),
        MergeTagName::LastName => "lastName".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => handlebars::segment(key.as_str()),
        MergeTagName::UnsubscribeUrl => return "{{unsubscribeUrl}}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{viewInBrowserUrl}}".to_owned(),
    };
    handlebars::helped(&field, tag.fallback(), ["{{defaultIfEmpty ", " \"", "\"}}"])
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{firstName}}"),
            ("{{last_name}}", "{{lastName}}"),
            ("{{email}}", "{{email}}"),
            ("{{field:jobTitle}}", "{{jobTitle}}"),
            ("{{field:2nd|x}}", "{{defaultIfEmpty [2nd] \"x\"}}"),
            ("{{first_name|there}}", "{{defaultIfEmpty firstName \"there\"}}"),
            ("{{first_name|{a|b} 100%}}", "{{defaultIfEmpty firstName \"{a|b} 100%\"}}"),
            (
                "{{first_name|it's \"a\" {c}\nnow}}",
                "{{#if firstName}}{{firstName}}{{else}}it's \"a\" {c}\nnow{{/if}}",
            ),
            ("{{unsubscribe_url}}", "{{unsubscribeUrl}}"),
            ("{{view_online_url|x}}", "{{viewInBrowserUrl}}"),
        ] {
            assert_eq!(convert(template, Platform::Iterable, None), expected);
        }
    }
}
