//! Adobe Journey Optimizer: `{{profile.person.name.firstName}}`, and `{%= … ?: "there" %}` for fallbacks.
//!
//! Sources:
//!
//! - names, reserved words, the doubled backslash in strings: «Personalization syntax»
//!   <https://experienceleague.adobe.com/docs/journey-optimizer/using/content-management/personalization/personalization-syntax.html>
//! - `?:`: «Helpers, default fallback value»
//!   <https://experienceleague.adobe.com/en/docs/journey-optimizer/using/content-management/personalization/functions/helpers>
//!
//! A quote in a string is escaped with a backslash and a line break written `\n`; where `%}` would end the expression,
//! the string is split with `concat`. The field `jobTitle` is `profile.jobTitle`: a schema keeps custom attributes
//! under its tenant's name, so most companies map their fields. Links to unsubscribe and to the mirror page are
//! attributes that the editor gives an anchor, not addresses, so only the company's mapping can give one.

use crate::sync::{MergeTag, MergeTagName};

const RESERVED: [&str; 3] = ["next", "last", "this"];

pub(crate) fn express(tag: &MergeTag) -> Option<String> {
    let path = match tag.name() {
        MergeTagName::FirstName => "profile.person.name.firstName".to_owned(),
        MergeTagName::LastName => "profile.person.name.lastName".to_owned(),
        MergeTagName::Email => "profile.personalEmail.address".to_owned(),
        MergeTagName::Field(key) if RESERVED.contains(&key.as_str()) => format!("profile.`{key}`"),
        MergeTagName::Field(key) => format!("profile.{key}"),
        MergeTagName::UnsubscribeUrl | MergeTagName::ViewOnlineUrl => return None,
    };
    Some(match tag.fallback() {
        None => ["{{", &path, "}}"].concat(),
        Some(fallback) => ["{%= ", &path, " ?: ", &expression(fallback), " %}"].concat(),
    })
}

/// `concat` takes two texts, so it is nested once for each place at which the text is split.
fn expression(fallback: &str) -> String {
    let ends = fallback.matches("%}").count();
    let parts = fallback.split("%}").enumerate().map(|(place, part)| {
        let end = if place < ends { "%" } else { "" };
        if place == 0 {
            quoted(&[part, end].concat())
        } else {
            [", ", &quoted(&["}", part, end].concat()), ")"].concat()
        }
    });
    std::iter::once("concat(".repeat(ends)).chain(parts).collect()
}

fn quoted(text: &str) -> String {
    let escaped =
        text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n").replace('\r', r"\r");
    ["\"", &escaped, "\""].concat()
}

#[cfg(test)]
mod tests {
    use crate::sync::{Platform, convert};

    #[test]
    fn golden() {
        for (template, expected) in [
            ("{{first_name}}", "{{profile.person.name.firstName}}"),
            ("{{last_name}}", "{{profile.person.name.lastName}}"),
            ("{{email}}", "{{profile.personalEmail.address}}"),
            ("{{field:jobTitle}}", "{{profile.jobTitle}}"),
            ("{{field:next}}", "{{profile.`next`}}"),
            ("{{field:jobTitle|expert}}", "{%= profile.jobTitle ?: \"expert\" %}"),
            ("{{first_name|there}}", "{%= profile.person.name.firstName ?: \"there\" %}"),
            (
                "{{first_name|it's \"a|b\" {c} 100% \\\nnow}}",
                r#"{%= profile.person.name.firstName ?: "it's \"a|b\" {c} 100% \\\nnow" %}"#,
            ),
            (
                "{{email|a%}b%}c}}",
                r#"{%= profile.personalEmail.address ?: concat(concat("a%", "}b%"), "}c") %}"#,
            ),
            ("{{unsubscribe_url}}", "{{unsubscribe_url}}"),
            ("{{view_online_url|https://a.example}}", "https://a.example"),
        ] {
            let converted = convert(template, Platform::AdobeJourneyOptimizer, None);
            assert_eq!(converted, expected);
        }
    }
}
