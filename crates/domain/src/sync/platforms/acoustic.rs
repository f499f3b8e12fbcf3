//! Acoustic Campaign (once Silverpop, then IBM Watson Campaign Automation): `%%First Name%%`.
//!
//! Sources:
//!
//! - `%%…%%`: «Creating transactional email templates in IBM Watson Campaign Automation»
//!   <https://help.hcl-software.com/commerce/9.1.0/integration/tasks/tcvsilverpoptemplates.html>
//! - that defaults belong to the fields of a contact source: «What are the test recipient limitations?»
//!   <https://www.ibm.com/docs/mk/SSWU4L/Data/imc_Data/Data_q_a_watson_assistant/Test_Recipient_Limitations.html>
//! - `#SPONECLICKOPTOUT` and `#SPCLICKTOVIEW`: seen in published emails
//!
//! There is no inline default, so a fallback is dropped and is entered in Acoustic instead. The field `jobTitle` is
//! `%%Job Title%%`. The links are the addresses that Acoustic writes; its editor gives their anchors an `xt` attribute
//! too.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let field = match tag.name() {
        MergeTagName::FirstName => "First Name".to_owned(),
        MergeTagName::LastName => "Last Name".to_owned(),
        MergeTagName::Email => "Email".to_owned(),
        MergeTagName::Field(key) => spelling::titled(key),
        MergeTagName::UnsubscribeUrl => return "#SPONECLICKOPTOUT".to_owned(),
        MergeTagName::ViewOnlineUrl => return "#SPCLICKTOVIEW".to_owned(),
    };
    ["%%", &field, "%%"].concat()
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "%%First Name%%"),
            ("{{last_name}}", "%%Last Name%%"),
            ("{{email}}", "%%Email%%"),
            ("{{field:jobTitle}}", "%%Job Title%%"),
            ("{{first_name|there}}", "%%First Name%%"),
            ("{{first_name|it's \"a|b\" {c} 100%\nnow}}", "%%First Name%%"),
            ("{{unsubscribe_url}}", "#SPONECLICKOPTOUT"),
            ("{{view_online_url|x}}", "#SPCLICKTOVIEW"),
        ] {
            assert_eq!(convert(template, Platform::Acoustic, None), expected);
        }
    }
}
