//! Customer.io: Liquid over the customer's attributes, `{{ customer.first_name | default: 'there' }}`.
//!
//! Sources:
//!
//! - attributes and `default`: «Liquid syntax list»
//!   <https://docs.customer.io/journeys/liquid-tag-list>
//! - `{% unsubscribe_url %}` and `{% view_in_browser_url %}`: seen in published templates
//!
//! Fallbacks are escaped as in Liquid. The field `jobTitle` is the attribute `customer.job_title`.

use super::{liquid, spelling};
use crate::sync::{MergeTag, MergeTagName};

pub(crate) fn express(tag: &MergeTag) -> String {
    let attribute = match tag.name() {
        MergeTagName::FirstName => "first_name".to_owned(),
        MergeTagName::LastName => "last_name".to_owned(),
        MergeTagName::Email => "email".to_owned(),
        MergeTagName::Field(key) => spelling::snake(key),
        MergeTagName::UnsubscribeUrl => return "{% unsubscribe_url %}".to_owned(),
        MergeTagName::ViewOnlineUrl => return "{% view_in_browser_url %}".to_owned(),
    };
    let path = spelling::member("customer", &attribute);
    liquid::output(&path, tag.fallback())
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{ customer.first_name }}"),
            ("{{last_name}}", "{{ customer.last_name }}"),
            ("{{email}}", "{{ customer.email }}"),
            ("{{field:jobTitle}}", "{{ customer.job_title }}"),
            ("{{field:étatCivil}}", "{{ customer['état_civil'] }}"),
            ("{{field:jobTitle|expert}}", "{{ customer.job_title | default: 'expert' }}"),
            ("{{first_name|there}}", "{{ customer.first_name | default: 'there' }}"),
            (
                "{{first_name|it's \"a|b\" {c} 100%\nnow}}",
                "{% capture merge_tag_fallback %}it's \"a|b\" {{ '{' }}c} 100%\nnow{% endcapture %}\
                 {{ customer.first_name | default: merge_tag_fallback }}",
            ),
            ("{{unsubscribe_url}}", "{% unsubscribe_url %}"),
            ("{{view_online_url|x}}", "{% view_in_browser_url %}"),
        ] {
            assert_eq!(convert(template, Platform::Customerio, None), expected);
        }
    }
}
