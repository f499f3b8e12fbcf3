//! Mailchimp: `*|FNAME|*`, and `*|IF:FNAME|**|FNAME|**|ELSE:|*there*|END:IF|*` for fallbacks.
//!
//! Sources:
//!
//! - the condition: «About Dynamic and Conditional Merge Tags»
//!   <https://mandrill.zendesk.com/hc/en-us/articles/360039278713-About-Dynamic-and-Conditional-Merge-Tags>
//! - names: «All the Merge Tags: Cheat Sheet»
//!   <https://mailchimp.com/help/all-the-merge-tags-cheat-sheet/>
//!
//! Merge tags have no escape. Where a fallback would open one, an invisible word joiner (U+2060) keeps asterisk and bar
//! apart. A tag of the audience has at most 10 characters: the field `jobTitle` is `JOBTITLE`, and a longer key is cut.

use crate::sync::{MergeTag, MergeTagName};

const MAX_TAG: usize = 10;

pub(crate) fn express(tag: &MergeTag) -> String {
    let field = match tag.name() {
        MergeTagName::FirstName => "FNAME".to_owned(),
        MergeTagName::LastName => "LNAME".to_owned(),
        MergeTagName::Email => "EMAIL".to_owned(),
        MergeTagName::Field(key) => key.as_str().to_uppercase().chars().take(MAX_TAG).collect(),
        MergeTagName::UnsubscribeUrl => return "*|UNSUB|*".to_owned(),
        MergeTagName::ViewOnlineUrl => return "*|ARCHIVE|*".to_owned(),
    };
    match tag.fallback() {
        None => format!("*|{field}|*"),
        Some(fallback) => {
            let fallback = fallback.replace("*|", "*\u{2060}|");
            format!("*|IF:{field}|**|{field}|**|ELSE:|*{fallback}*|END:IF|*")
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "*|FNAME|*"),
            ("{{last_name}}", "*|LNAME|*"),
            ("{{email}}", "*|EMAIL|*"),
            ("{{field:jobTitle}}", "*|JOBTITLE|*"),
            ("{{field:homePhoneNumber}}", "*|HOMEPHONEN|*"),
            ("{{field:jobTitle|expert}}", "*|IF:JOBTITLE|**|JOBTITLE|**|ELSE:|*expert*|END:IF|*"),
            ("{{first_name|there}}", "*|IF:FNAME|**|FNAME|**|ELSE:|*there*|END:IF|*"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\n*|END:IF|*}}",
                "*|IF:FNAME|**|FNAME|**|ELSE:|*it's \"a|b\" {c} 100%\n*\u{2060}|END:IF|**|END:IF|*",
            ),
            ("{{unsubscribe_url}}", "*|UNSUB|*"),
            ("{{view_online_url|x}}", "*|ARCHIVE|*"),
        ] {
            assert_eq!(convert(template, Platform::Mailchimp, None), expected);
        }
    }
}
