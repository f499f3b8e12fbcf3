//! Braze: Liquid with attributes in `${…}`, `{{${first_name} | default: 'there'}}`.
//!
//! Sources:
//!
//! - standard and custom attributes: «User profile»
//!   <https://braze.com/docs/user_guide/messaging/design_and_edit/personalize/sources/user_profile/>
//! - fallbacks: «Set default values»
//!   <https://www.braze.com/docs/user_guide/personalization_and_dynamic_content/liquid/setting_default_values/>
//! - `set_user_to_unsubscribed_url`, and that there is no link to view an email in a browser: «Email FAQs and custom
//!   footers, in Braze's documentation on GitHub»
//!   <https://github.com/braze-inc/braze-docs>
//!
//! Fallbacks are escaped as in Liquid. The field `jobTitle` is the custom attribute `job_title`.

use super::{liquid, spelling};
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> Option<String> {
    let attribute = match tag.name() {
        MergeTagName::FirstName => "${first_name}".to_owned(),
        MergeTagName::LastName => "${last_name}".to_owned(),
        MergeTagName::Email => "${email_address}".to_owned(),
        MergeTagName::Field(key) => ["custom_attribute.${", &spelling::snake(key), "}"].concat(),
        MergeTagName::UnsubscribeUrl => {
            return Some("{{${set_user_to_unsubscribed_url}}}".to_owned());
        }
        MergeTagName::ViewOnlineUrl => return None,
    };
    Some(match tag.fallback() {
        None => ["{{", &attribute, "}}"].concat(),
        Some(fallback) => {
            let (before, argument) = liquid::argument(fallback);
            [&before, "{{", &attribute, " | default: ", &argument, "}}"].concat()
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{${first_name}}}"),
            ("{{last_name}}", "{{${last_name}}}"),
            ("{{email}}", "{{${email_address}}}"),
            ("{{field:jobTitle}}", "{{custom_attribute.${job_title}}}"),
            ("{{field:jobTitle|expert}}", "{{custom_attribute.${job_title} | default: 'expert'}}"),
            ("{{first_name|there}}", "{{${first_name} | default: 'there'}}"),
            ("{{first_name|it's 5%}}", "{{${first_name} | default: \"it's 5%\"}}"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\nnow}}",
                "{% capture merge_tag_fallback %}it's \"a|b\" {{ '{' }}c} 100%\nnow{% endcapture %}\
                 {{${first_name} | default: merge_tag_fallback}}",
            ),
            ("{{unsubscribe_url|x}}", "{{${set_user_to_unsubscribed_url}}}"),
            ("{{view_online_url}}", "{{view_online_url}}"),
        ] {
            assert_eq!(convert(template, Platform::Braze, None), expected);
        }
    }
}
