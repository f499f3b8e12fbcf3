//! Oracle Responsys: Responsys Personalization Language, `${(CONTACTS_LIST.FIRST_NAME)!'there'}`.
//!
//! Sources:
//!
//! - fields: «Using RPL instead of built-in functions»
//!   <https://docs.oracle.com/en/cloud/saas/marketing/responsys-develop/RPL/UsingRPL.htm>
//! - `!`: «Handling missing values»
//!   <https://docs.oracle.com/en/cloud/saas/marketing/responsys-develop/RPL/MissingValues.htm>
//! - strings and their escapes: «Specifying values directly»
//!   <https://docs.oracle.com/en/cloud/saas/marketing/responsys-develop/RPL/SpecifyingValuesDirectly.htm>
//! - `form`, which takes a campaign's name too: «Link Tables»
//!   <https://docs.oracle.com/en/cloud/saas/marketing/responsys-develop/RPL/LinkTables.htm>
//!
//! The default operator works on members of a data source only, so fields are read from the profile list under the
//! usual alias `CONTACTS_LIST`; it replaces null, but not an empty text. Without the operator a null ends the message with
//! an error, so a tag without a fallback has the operator too; its default is then the empty text. A string may contain
//! backslash escapes and line breaks, and is split where `${` or `#{` would start an interpolation. The field `jobTitle`
//! is `CONTACTS_LIST.JOB_TITLE`. The form to unsubscribe is the company's own, so only its mapping can name it.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> Option<String> {
    let column = match tag.name() {
        MergeTagName::FirstName => "FIRST_NAME".to_owned(),
        MergeTagName::LastName => "LAST_NAME".to_owned(),
        MergeTagName::Email => "EMAIL_ADDRESS_".to_owned(),
        MergeTagName::Field(key) => spelling::screaming(key),
        MergeTagName::UnsubscribeUrl => return None,
        MergeTagName::ViewOnlineUrl => return Some("${form(campaign.name)}".to_owned()),
    };
    let path = spelling::member("CONTACTS_LIST", &column);
    Some(match tag.fallback() {
        None => ["${(", &path, ")!}"].concat(),
        Some(fallback) => ["${(", &path, ")!", &expression(fallback), "}"].concat(),
    })
}

fn expression(fallback: &str) -> String {
    let escaped = fallback.replace('\\', r"\\").replace('\'', r"\'");
    let parted = escaped.replace("${", "$' + '{").replace("#{", "#' + '{");
    if parted == escaped { ["'", &escaped, "'"].concat() } else { ["('", &parted, "')"].concat() }
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "${(CONTACTS_LIST.FIRST_NAME)!}"),
            ("{{last_name}}", "${(CONTACTS_LIST.LAST_NAME)!}"),
            ("{{email}}", "${(CONTACTS_LIST.EMAIL_ADDRESS_)!}"),
            ("{{field:jobTitle}}", "${(CONTACTS_LIST.JOB_TITLE)!}"),
            ("{{field:2nd|x}}", "${(CONTACTS_LIST['2ND'])!'x'}"),
            ("{{first_name|there}}", "${(CONTACTS_LIST.FIRST_NAME)!'there'}"),
            (
                "{{first_name|it's \"a|b\" {c} 100% \\\nnow}}",
                "${(CONTACTS_LIST.FIRST_NAME)!'it\\'s \"a|b\" {c} 100% \\\\\nnow'}",
            ),
            (
                "{{first_name|${a} #{b} c}}",
                "${(CONTACTS_LIST.FIRST_NAME)!('$' + '{a} #' + '{b} c')}",
            ),
            ("{{unsubscribe_url}}", "{{unsubscribe_url}}"),
            ("{{view_online_url|x}}", "${form(campaign.name)}"),
        ] {
            assert_eq!(convert(template, Platform::Responsys, None), expected);
        }
    }
}
