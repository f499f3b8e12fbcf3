//! Oracle Eloqua: field merges, `<span class=eloquaemail>FirstName</span>`, in HTML, plain text and subject alike.
//!
//! Sources:
//!
//! - what a field merge is, and where its default lives: «Creating field merges with custom objects»
//!   <https://docs.oracle.com/en/cloud/saas/marketing/eloqua-user/Help/FieldMerges/Tasks/CreatingFieldMergeWithCustomObject.htm>
//! - the span: seen in the HTML of emails as Eloqua's interface returns it; no page of the documentation was at hand
//!
//! The default value belongs to the field merge, so a tag has nowhere to put one: its fallback is dropped, and is
//! entered in Eloqua instead. The field `jobTitle` is the field merge `JobTitle`. The addresses to unsubscribe and to
//! view the email online carry the account's site id and branding domain, so only the company's own mapping can give
//! them.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> Option<String> {
    let merge = match tag.name() {
        MergeTagName::FirstName => "FirstName".to_owned(),
        MergeTagName::LastName => "LastName".to_owned(),
        MergeTagName::Email => "EmailAddress".to_owned(),
        MergeTagName::Field(key) => spelling::pascal(key),
        MergeTagName::UnsubscribeUrl | MergeTagName::ViewOnlineUrl => return None,
    };
    Some(["<span class=eloquaemail>", &merge, "</span>"].concat())
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "<span class=eloquaemail>FirstName</span>"),
            ("{{last_name}}", "<span class=eloquaemail>LastName</span>"),
            ("{{email}}", "<span class=eloquaemail>EmailAddress</span>"),
            ("{{field:jobTitle}}", "<span class=eloquaemail>JobTitle</span>"),
            ("{{first_name|there}}", "<span class=eloquaemail>FirstName</span>"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\nnow}}",
                "<span class=eloquaemail>FirstName</span>",
            ),
            ("{{unsubscribe_url}}", "{{unsubscribe_url}}"),
            ("{{view_online_url|https://a.example}}", "https://a.example"),
        ] {
            assert_eq!(convert(template, Platform::Eloqua, None), expected);
        }
    }
}
