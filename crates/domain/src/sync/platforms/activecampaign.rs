//! `ActiveCampaign`: `%FIRSTNAME%`, `%UNSUBSCRIBELINK%`, `%WEBCOPY%`.
//!
//! Sources:
//!
//! - names: «Personalization tags, read through published templates and integrations, as the article was not at hand»
//!   <https://help.activecampaign.com/hc/en-us/articles/220557207>
//!
//! No inline default could be confirmed, so a fallback is dropped; a field's default value is entered on the platform.
//! The field `jobTitle` is `%JOB_TITLE%`, as the tag of the field «Job Title» is named by default.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let name = match tag.name() {
        MergeTagName::FirstName => "FIRSTNAME".to_owned(),
        MergeTagName::LastName => "LASTNAME".to_owned(),
        MergeTagName::Email => "EMAIL".to_owned(),
        MergeTagName::Field(key) => spelling::screaming(key),
        MergeTagName::UnsubscribeUrl => "UNSUBSCRIBELINK".to_owned(),
        MergeTagName::ViewOnlineUrl => "WEBCOPY".to_owned(),
    };
    ["%", &name, "%"].concat()
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "%FIRSTNAME%"),
            ("{{last_name}}", "%LASTNAME%"),
            ("{{email}}", "%EMAIL%"),
            ("{{field:jobTitle}}", "%JOB_TITLE%"),
            ("{{first_name|there}}", "%FIRSTNAME%"),
            ("{{first_name|it's \"a|b\" {c} 100%\nnow}}", "%FIRSTNAME%"),
            ("{{unsubscribe_url}}", "%UNSUBSCRIBELINK%"),
            ("{{view_online_url|x}}", "%WEBCOPY%"),
        ] {
            assert_eq!(convert(template, Platform::Activecampaign, None), expected);
        }
    }
}
