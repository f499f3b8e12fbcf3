//! A template in a platform's syntax, and the tags that it uses.
//!
//! A company's own text for a tag has precedence. A tag that the platform cannot express, such as a link that Braze
//! does not offer, becomes its fallback, or stays unchanged without one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::mapping::MergeTagMapping;
use super::merge_tag::{MergeTag, MergeTagName};
use super::platform::Platform;
use super::template::{Segment, segments};

/// Converts every tag to the platform's syntax, and keeps all other text byte by byte. The time is proportional to the
/// lengths of the template and of the result, which a mapping can make many times longer.
#[must_use]
pub fn convert(template: &str, platform: Platform, mapping: Option<&MergeTagMapping>) -> String {
    let none = MergeTagMapping::default();
    convert_within(template, platform, mapping.unwrap_or(&none), usize::MAX).unwrap_or_default()
}

/// As [`convert()`]; `None` when the result would exceed `max` bytes.
pub(super) fn convert_within(
    template: &str,
    platform: Platform,
    mapping: &MergeTagMapping,
    max: usize,
) -> Option<String> {
    replaced_within(template, max, |tag, raw| {
        let own = mapping.get(tag.name()).map(Cow::Borrowed);
        own.unwrap_or_else(|| Cow::Owned(expressed(tag, raw, platform)))
    })
}

/// The template with another text in the place of each tag; `None` when the result would exceed `max` bytes.
pub(super) fn replaced_within<'a>(
    template: &str,
    max: usize,
    text_of: impl Fn(&MergeTag, &str) -> Cow<'a, str>,
) -> Option<String> {
    let mut replaced = String::with_capacity(template.len());
    for segment in segments(template) {
        match segment {
            Segment::Literal(text) => replaced.push_str(text),
            Segment::Tag(tag, raw) => replaced.push_str(&text_of(&tag, raw)),
        }
        if replaced.len() > max {
            return None;
        }
    }
    Some(replaced)
}

fn expressed(tag: &MergeTag, raw: &str, platform: Platform) -> String {
    platform.express(tag).unwrap_or_else(|| tag.fallback().unwrap_or(raw).to_owned())
}

/// A part of a converted template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Converted<'a> {
    /// Text that is as it was.
    Kept(&'a str),
    /// A tag, and the text that it was converted to.
    Changed {
        /// The tag.
        from: &'a str,
        /// The other text.
        to: String,
    },
}

/// The parts of the converted template in their order. Their texts are those of [`convert()`].
pub fn differences<'a>(
    template: &'a str,
    platform: Platform,
    mapping: &MergeTagMapping,
) -> impl Iterator<Item = Converted<'a>> {
    segments(template).into_iter().map(move |segment| match segment {
        Segment::Literal(text) => Converted::Kept(text),
        Segment::Tag(tag, raw) => {
            let own = mapping.get(tag.name()).map(str::to_owned);
            let to = own.unwrap_or_else(|| expressed(&tag, raw, platform));
            if to == raw { Converted::Kept(raw) } else { Converted::Changed { from: raw, to } }
        }
    })
}

/// The variables of the template's tags, each once, in the order of first appearance.
#[must_use]
pub fn tags(template: &str) -> Vec<MergeTagName> {
    let mut seen = HashSet::new();
    segments(template)
        .into_iter()
        .filter_map(|segment| match segment {
            Segment::Literal(_) => None,
            Segment::Tag(tag, _) => Some(tag.name().clone()),
        })
        .filter(|name| seen.insert(name.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{Converted, convert, differences, tags};
    use crate::sync::{MergeTagMapping, MergeTagName, Platform, Segment, segments};

    const TAGS: [&str; 7] = [
        "{{first_name}}",
        "{{last_name|x}}",
        "{{ email }}",
        "{{field:jobTitle}}",
        "{{field:2ndÉtat|it's \"a|b\" {c} 100%\n}}",
        "{{unsubscribe_url}}",
        "{{view_online_url|https://a.example}}",
    ];

    #[test]
    fn lists_tags_once_in_order() {
        let template = "{{email}} {{ first_name|x }}{{field:b}} {{first_name}}{{field:a}}{{other}}";
        let names: Vec<String> = tags(template).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["email", "first_name", "field:b", "field:a"]);
        assert_eq!(tags("none"), []);
    }

    #[test]
    fn a_mapping_takes_precedence() {
        let own = BTreeMap::from([(MergeTagName::FirstName, "[own]".to_owned())]);
        let mapping = MergeTagMapping::from_stored(own);
        let template = "{{first_name}} {{first_name|x}} {{email}}";
        assert_eq!(
            convert(template, Platform::Marketo, Some(&mapping)),
            "[own] [own] {{lead.Email Address}}"
        );
    }

    #[test]
    fn differences_list_the_tags_that_change() {
        let own = BTreeMap::from([(MergeTagName::Email, "[own]".to_owned())]);
        let mapping = MergeTagMapping::from_stored(own);
        let template = "Hi {{first_name}} {{email}} {{view_online_url}} {{ x }}";
        let parts: Vec<_> = differences(template, Platform::Marketo, &mapping).collect();
        let changed = |from, to: &str| Converted::Changed { from, to: to.to_owned() };
        assert_eq!(parts[1], changed("{{first_name}}", "{{lead.First Name}}"));
        assert_eq!(parts[3], changed("{{email}}", "[own]"));
        let braze: Vec<_> =
            differences(template, Platform::Braze, &MergeTagMapping::default()).collect();
        assert_eq!(braze[5], Converted::Kept("{{view_online_url}}"));
        let joined: String = parts
            .iter()
            .map(|part| match part {
                Converted::Kept(text) => *text,
                Converted::Changed { to, .. } => to.as_str(),
            })
            .collect();
        assert_eq!(joined, convert(template, Platform::Marketo, Some(&mapping)));
    }

    #[test]
    fn a_tag_without_expression_is_replaced_by_its_fallback_or_kept() {
        let template = "{{ view_online_url }} {{view_online_url|https://a.example}}";
        assert_eq!(
            convert(template, Platform::Braze, None),
            "{{ view_online_url }} https://a.example"
        );
    }

    #[test]
    fn a_megabyte_of_braces_is_returned_unchanged() {
        let template = "{{first_name|".repeat(80_000);
        for platform in Platform::ALL {
            assert_eq!(convert(&template, platform, None), template);
        }
    }

    #[test]
    fn a_hostile_fallback_grows_at_most_by_a_constant_factor() {
        for piece in ["%}", "%", "'\"", "{-", "*|", "<%", "\\", "${", "\n"] {
            let template = format!("{{{{email|{}x}}}}", piece.repeat(200_000));
            for platform in Platform::ALL {
                let converted = convert(&template, platform, None);
                assert!(converted.len() <= 20 * template.len(), "{platform} {piece}");
            }
        }
    }

    proptest! {
        #[test]
        fn text_between_tags_is_kept(
            texts in prop::collection::vec("[^{}]{0,12}", 8),
            order in prop::collection::vec(0_usize..7, 7),
            platform in prop::sample::select(&Platform::ALL[..]),
        ) {
            let mut template = texts[0].clone();
            let mut expected = texts[0].clone();
            for (tag, text) in order.iter().zip(&texts[1..]) {
                template.extend([TAGS[*tag], text]);
                expected.extend([&convert(TAGS[*tag], platform, None), text.as_str()]);
            }
            prop_assert_eq!(convert(&template, platform, None), expected);
        }

        #[test]
        fn a_template_without_tags_is_kept(
            template in "([{}|%<$ a:\"\n]|first_name|\\PC){0,60}",
            platform in prop::sample::select(&Platform::ALL[..]),
        ) {
            let converted = convert(&template, platform, None);
            if segments(&template).iter().all(|part| matches!(part, Segment::Literal(_))) {
                prop_assert_eq!(converted, template);
            }
        }
    }
}
