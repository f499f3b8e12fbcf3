//! The source of an asset as it is sent to a platform, with its differences from the stored one. Only merge tags differ,
//! so the text between them is shortened.

use std::collections::HashSet;

use contact_hub_domain::sync::{Content, Converted, differences};

/// How many different tags are listed.
const LISTED: usize = 50;

/// How much of the source is shown, in characters.
const SHOWN: usize = 12_000;

/// How much of the text on one side of a tag is shown, in characters.
const AROUND: usize = 200;

/// The longest tag, or text in its place, that is shown whole, in characters.
const LONG: usize = 300;

/// The differences of a content from its asset.
#[derive(Default)]
pub(super) struct ConvertedSource {
    /// The tags that are written in another way, each once: before and after.
    pub(super) tags: Vec<(String, String)>,
    /// How many more there are.
    pub(super) more: usize,
    /// The source.
    pub(super) parts: Vec<SourcePart>,
    /// Whether this is only its beginning.
    pub(super) is_begun: bool,
}

/// A part of the source.
pub(super) struct SourcePart {
    /// Its text.
    pub(super) text: String,
    /// The tag that was there; `None` for text that is as it was.
    pub(super) from: Option<String>,
}

impl ConvertedSource {
    /// The HTML of a content; empty without a platform.
    pub(super) fn of(content: &Content) -> Self {
        let Some(platform) = content.platform else { return Self::default() };
        let mut source = Self::default();
        let (mut seen, mut length) = (HashSet::new(), 0);
        for part in differences(content.asset.html.as_str(), platform, &content.mapping) {
            if let Converted::Changed { from, to } = &part
                && seen.insert(*from)
                && source.tags.len() < LISTED
            {
                source.tags.push((cut(from, LONG), cut(to, LONG)));
            }
            source.is_begun |= length >= SHOWN;
            if !source.is_begun {
                let part = shown(part);
                length += part.text.chars().count();
                source.parts.push(part);
            }
        }
        source.more = seen.len() - source.tags.len();
        source
    }
}

fn shown(part: Converted<'_>) -> SourcePart {
    match part {
        Converted::Kept(text) => SourcePart { text: ends(text), from: None },
        Converted::Changed { from, to } => {
            SourcePart { text: cut(&to, LONG), from: Some(cut(from, LONG)) }
        }
    }
}

/// The beginning and the end of a text.
fn ends(text: &str) -> String {
    let start = text.char_indices().nth(AROUND).map(|(at, _)| at);
    let end = text.char_indices().nth_back(AROUND).map(|(at, _)| at);
    match (start, end) {
        (Some(start), Some(end)) if start < end => {
            let (first, last) = (text.get(..start), text.get(end..));
            format!("{} … {}", first.unwrap_or_default(), last.unwrap_or_default())
        }
        _ => text.to_owned(),
    }
}

fn cut(text: &str, max: usize) -> String {
    crate::pages::excerpt::shortened(text, max)
}

#[cfg(test)]
mod tests {
    use super::{AROUND, ends};

    #[test]
    fn long_text_between_tags_is_shortened() {
        assert_eq!(ends("äöü"), "äöü");
        let long = "ä".repeat(3 * AROUND);
        assert_eq!(ends(&long).chars().count(), 2 * AROUND + 4);
        let just = "ä".repeat(2 * AROUND);
        assert_eq!(ends(&just), just);
    }
}
