//! Salesforce Marketing Cloud: personalization strings, `%%FirstName%%`, and `AMPscript` for fallbacks,
//! `%%=IIF(EMPTY(FirstName),'there',FirstName)=%%`.
//!
//! Sources:
//!
//! - names and strings: «`AMPscript` Language Elements»
//!   <https://developer.salesforce.com/docs/atlas.en-us.mc-programmatic-content.meta/mc-programmat-content/languageElements.htm>
//! - conditions: «`Iif()`»
//!   <https://developer.salesforce.com/docs/marketing/marketing-cloud-ampscript/references/mc-ampscript-utilities/mc-ampscript-reference-utilities-iif.html>
//! - joined texts: «`Concat()`»
//!   <https://developer.salesforce.com/docs/atlas.en-us.mc-programmatic-content.meta/mc-programmatic-content/Concat.htm>
//! - `unsub_center_url`, `view_email_url`, `emailaddr`: seen in published emails
//!
//! A quote inside a string is doubled. Two percent signs in a row would end the expression, and how to write a line
//! break in a string is not documented, so such a fallback is put together with `Concat` and `Char`. A name with other
//! characters than letters, digits and underscores is in square brackets. The field `jobTitle` is the attribute
//! `JobTitle`.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let attribute = match tag.name() {
        MergeTagName::FirstName => "FirstName".to_owned(),
        MergeTagName::LastName => "LastName".to_owned(),
        MergeTagName::Email => "emailaddr".to_owned(),
        MergeTagName::Field(key) => spelling::pascal(key),
        MergeTagName::UnsubscribeUrl => return "%%unsub_center_url%%".to_owned(),
        MergeTagName::ViewOnlineUrl => return "%%view_email_url%%".to_owned(),
    };
    match tag.fallback() {
        None => ["%%", &attribute, "%%"].concat(),
        Some(fallback) => {
            let (value, fallback) = (reference(&attribute), expression(fallback));
            format!("%%=IIF(EMPTY({value}),{fallback},{value})=%%")
        }
    }
}

fn reference(attribute: &str) -> String {
    if spelling::is_plain_name(attribute) {
        attribute.to_owned()
    } else {
        ["[", attribute, "]"].concat()
    }
}

fn expression(fallback: &str) -> String {
    let mut parts = Vec::new();
    let mut text = String::new();
    for character in fallback.chars() {
        let code = match character {
            '\n' => Some("Char(10)"),
            '\r' => Some("Char(13)"),
            _ => None,
        };
        let splits = code.is_some() || (character == '%' && text.ends_with('%'));
        if splits && !text.is_empty() {
            parts.push(quoted(&std::mem::take(&mut text)));
        }
        match code {
            Some(code) => parts.push(code.to_owned()),
            None => text.push(character),
        }
    }
    if !text.is_empty() {
        parts.push(quoted(&text));
    }
    match parts.as_slice() {
        [single] => single.clone(),
        several => format!("Concat({})", several.join(",")),
    }
}

fn quoted(text: &str) -> String {
    ["'", &text.replace('\'', "''"), "'"].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "%%FirstName%%"),
            ("{{last_name}}", "%%LastName%%"),
            ("{{email}}", "%%emailaddr%%"),
            ("{{field:jobTitle}}", "%%JobTitle%%"),
            ("{{field:2nd|x}}", "%%=IIF(EMPTY([2nd]),'x',[2nd])=%%"),
            ("{{first_name|there}}", "%%=IIF(EMPTY(FirstName),'there',FirstName)=%%"),
            (
                "{{first_name|it's \"a|b\" {c} 100%}}",
                "%%=IIF(EMPTY(FirstName),'it''s \"a|b\" {c} 100%',FirstName)=%%",
            ),
            (
                "{{first_name|a\r\n=%%x}}",
                "%%=IIF(EMPTY(FirstName),Concat('a',Char(13),Char(10),'=%','%x'),FirstName)=%%",
            ),
            ("{{unsubscribe_url}}", "%%unsub_center_url%%"),
            ("{{view_online_url|x}}", "%%view_email_url%%"),
        ] {
            assert_eq!(convert(template, Platform::Sfmc, None), expected);
        }
    }

    proptest! {
        #[test]
        fn a_fallback_never_ends_the_expression(fallback in "[a%='\n,()]{1,20}") {
            let template = format!("{{{{email|{fallback}}}}}");
            let converted = convert(&template, Platform::Sfmc, None);
            let inside = converted.strip_prefix("%%").and_then(|rest| rest.strip_suffix("%%"));
            prop_assert!(inside.is_some_and(|inside| !inside.contains("%%")), "{converted}");
            prop_assert_eq!(converted.matches('\'').count() % 2, 0);
        }
    }
}
