//! Adobe Campaign: `<%= recipient.firstName %>`, and a JavaScript condition for fallbacks.
//!
//! Sources:
//!
//! - the condition: «Personalize delivery subject using conditional content»
//!   <https://experienceleague.adobe.com/zh-hant/docs/experience-cloud-kcs/kbarticles/ka-22403>
//! - the addresses of the mirror page and to unsubscribe: «Pre-processing instructions»
//!   <https://experienceleague.adobe.com/docs/campaign-classic/using/sending-messages/tracking-messages/tracking-personalized-links/pre-processing-instructions.html?lang=en>
//!
//! A fallback is template text in the other branch, where only `<%` needs care. The field `jobTitle` is
//! `recipient.jobTitle`; a name with other characters than ASCII letters, digits and underscores is read with brackets.

use super::spelling;
use crate::sync::{MergeTag, MergeTagName};

const UNSUBSCRIBE: &str =
    "<%@ include option='NmsServer_URL' %>/webApp/unsub?id=<%= escapeUrl(recipient.cryptedId) %>";

pub(crate) fn express(tag: &MergeTag) -> String {
    let name = match tag.name() {
        MergeTagName::FirstName => "firstName",
        MergeTagName::LastName => "lastName",
        MergeTagName::Email => "email",
        MergeTagName::Field(key) => key.as_str(),
        MergeTagName::UnsubscribeUrl => return UNSUBSCRIBE.to_owned(),
        MergeTagName::ViewOnlineUrl => {
            return "<%@ include view='MirrorPageUrl' %>".to_owned();
        }
    };
    let value = spelling::member("recipient", name);
    match tag.fallback() {
        None => format!("<%= {value} %>"),
        Some(fallback) => {
            let text = fallback.replace("<%", "<%= '<' %>%");
            format!("<% if ({value} != '') {{ %><%= {value} %><% }} else {{ %>{text}<% }} %>")
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "<%= recipient.firstName %>"),
            ("{{last_name}}", "<%= recipient.lastName %>"),
            ("{{email}}", "<%= recipient.email %>"),
            ("{{field:jobTitle}}", "<%= recipient.jobTitle %>"),
            ("{{field:2nd}}", "<%= recipient['2nd'] %>"),
            (
                "{{first_name|there}}",
                "<% if (recipient.firstName != '') { %><%= recipient.firstName %>\
                 <% } else { %>there<% } %>",
            ),
            (
                "{{first_name|it's \"a|b\" {c} 100%\n<% x %>}}",
                "<% if (recipient.firstName != '') { %><%= recipient.firstName %>\
                 <% } else { %>it's \"a|b\" {c} 100%\n<%= '<' %>% x %><% } %>",
            ),
            (
                "{{unsubscribe_url}}",
                "<%@ include option='NmsServer_URL' %>/webApp/unsub\
                 ?id=<%= escapeUrl(recipient.cryptedId) %>",
            ),
            ("{{view_online_url|x}}", "<%@ include view='MirrorPageUrl' %>"),
        ] {
            assert_eq!(convert(template, Platform::AdobeCampaign, None), expected);
        }
    }
}
