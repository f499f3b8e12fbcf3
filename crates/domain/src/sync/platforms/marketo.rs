//! Adobe Marketo Engage: `{{lead.First Name:default=there}}`, with field names as they are displayed.
//!
//! Sources:
//!
//! - names: «Tokens Overview»
//!   <https://experienceleague.adobe.com/docs/marketo/using/product-docs/demand-generation/landing-pages/personalizing-landing-pages/tokens-overview.html>
//! - links: «System Tokens Glossary»
//!   <https://experienceleague.adobe.com/docs/marketo/using/product-docs/email-marketing/general/using-tokens/system-tokens-glossary.html>
//! - defaults, and that the new email designer turns this form into its own: «Personalization Tokens»
//!   <https://experienceleague.adobe.com/en/docs/marketo/using/product-docs/email-marketing/email-designer/personalization-tokens>
//!
//! A default runs to the closing braces and no escape is documented: a fallback, which never contains two identical
//! braces in a row, is inserted as it is, with line breaks turned into spaces. The field `jobTitle` is `lead.Job
//! Title`.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let token = match tag.name() {
        MergeTagName::FirstName => "First Name".to_owned(),
        MergeTagName::LastName => "Last Name".to_owned(),
        MergeTagName::Email => "Email Address".to_owned(),
        MergeTagName::Field(key) => spelling::titled(key),
        MergeTagName::UnsubscribeUrl => return "{{system.unsubscribeLink}}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{{system.viewAsWebpageLink}}".to_owned(),
    };
    match tag.fallback() {
        None => ["{{lead.", &token, "}}"].concat(),
        Some(fallback) => ["{{lead.", &token, ":default=", &on_one_line(fallback), "}}"].concat(),
    }
}

fn on_one_line(fallback: &str) -> String {
    fallback.lines().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{lead.First Name}}"),
            ("{{last_name}}", "{{lead.Last Name}}"),
            ("{{email}}", "{{lead.Email Address}}"),
            ("{{field:jobTitle}}", "{{lead.Job Title}}"),
            ("{{field:jobTitle|expert}}", "{{lead.Job Title:default=expert}}"),
            ("{{first_name|there}}", "{{lead.First Name:default=there}}"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\r\nnow}}",
                "{{lead.First Name:default=it's \"a|b\" {c} 100% now}}",
            ),
            ("{{unsubscribe_url}}", "{{system.unsubscribeLink}}"),
            ("{{view_online_url|x}}", "{{system.viewAsWebpageLink}}"),
        ] {
            assert_eq!(convert(template, Platform::Marketo, None), expected);
        }
    }
}
