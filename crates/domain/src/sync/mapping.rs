//! A company's own text for merge tags in one format: the custom field names of its platform.

use std::collections::{BTreeMap, BTreeSet};

use super::merge_tag::MergeTagName;
use crate::input::{FromText, Input};
use crate::property::Property;
use crate::rules::Purpose;
use crate::text;
use crate::violations::Problem;

/// The maximum number of tags that a mapping names.
pub const MAX_MAPPED_TAGS: usize = 1000;

/// The longest text that a tag is mapped to, in code points.
pub const MAX_REPLACEMENT: usize = 1000;

/// The text for each mapped tag. It replaces the tag unchanged; the fallback is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeTagMapping(BTreeMap<MergeTagName, String>);

impl MergeTagMapping {
    /// The mapping of these tags.
    pub(super) fn of(tags: &[MappedTag]) -> Self {
        let tags = tags.iter().filter_map(|tag| tag.read.as_ref().ok());
        Self(tags.map(|(name, Replacement(text))| (name.clone(), text.clone())).collect())
    }

    /// Restores a mapping from a store, without validation.
    #[must_use]
    pub const fn from_stored(entries: BTreeMap<MergeTagName, String>) -> Self {
        Self(entries)
    }

    /// The company's text for a tag.
    #[must_use]
    pub fn get(&self, name: &MergeTagName) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Every mapped tag with its text.
    pub fn iter(&self) -> impl Iterator<Item = (&MergeTagName, &str)> {
        self.0.iter().map(|(name, text)| (name, text.as_str()))
    }
}

/// A member of the JSON object that a request gave: the name of a tag such as `field:jobTitle`, and its text.
#[derive(Clone, Debug)]
pub struct MappedTag {
    name: String,
    read: Result<(MergeTagName, Replacement), Problem>,
}

impl From<(String, Input)> for MappedTag {
    fn from((name, text): (String, Input)) -> Self {
        let tag = MergeTagName::parse(&name)
            .ok_or_else(|| Problem::new("is not the name of a merge tag"));
        let read = tag.and_then(|tag| Ok((tag, Property::from(text).required().cloned()?)));
        Self { name, read }
    }
}

/// Each violation has the path of the mapping and the name of the tag, as it was given.
impl garde::Validate for Property<Vec<MappedTag>> {
    type Context = Purpose;

    fn validate_into(
        &self,
        _purpose: &Purpose,
        parent: &mut dyn FnMut() -> garde::Path,
        report: &mut garde::Report,
    ) {
        let mut names = BTreeSet::new();
        for tag in self.entries().iter().take(MAX_MAPPED_TAGS) {
            let sentence = match &tag.read {
                Ok((name, _)) if names.insert(name) => continue,
                Ok(_) => "is there twice",
                Err(problem) => problem.as_str(),
            };
            report.append(parent().join(tag.name.as_str()), garde::Error::new(sentence));
        }
    }
}

/// Text for a tag, kept with its white space.
#[derive(Clone, Debug)]
struct Replacement(String);

impl FromText for Replacement {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let text = text::without_nul(text::bounded(text, MAX_REPLACEMENT)?)?;
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MAPPED_TAGS, MAX_REPLACEMENT, MappedTag, MergeTagMapping};
    use crate::input::Input;
    use crate::property::Property;
    use crate::rules::{Purpose, valid};
    use crate::sync::{IntegrationDraft, MergeTagName};
    use crate::violations::Violations;

    fn violations(tags: Property<Vec<MappedTag>>) -> Violations {
        let draft = IntegrationDraft { merge_tag_mapping: tags, ..IntegrationDraft::default() };
        valid(&draft, Purpose::Change, |_change| Some(())).err().unwrap_or_default()
    }

    fn validated(entries: &[(&str, Input)]) -> (MergeTagMapping, Vec<String>) {
        let tags: Vec<MappedTag> = entries
            .iter()
            .map(|(name, input)| MappedTag::from(((*name).to_owned(), input.clone())))
            .collect();
        let mapping = MergeTagMapping::of(&tags);
        let violations = violations(tags.into_iter().collect());
        let found = violations
            .iter()
            .map(|(path, messages)| format!("{path} {}", messages.join("; ")))
            .collect();
        (mapping, found)
    }

    #[test]
    fn keeps_texts_unchanged() {
        let (mapping, violations) = validated(&[
            ("first_name", Input::from(" {{lead.Vorname}}\n")),
            ("field:jobTitle", Input::from("x")),
        ]);
        assert_eq!(violations, [""; 0]);
        assert_eq!(mapping.get(&MergeTagName::FirstName), Some(" {{lead.Vorname}}\n"));
        assert_eq!(mapping.get(&MergeTagName::Email), None);
        let names: Vec<String> = mapping.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(names, ["first_name", "field:jobTitle"]);
    }

    #[test]
    fn names_the_invalid_entries() {
        let long = "x".repeat(MAX_REPLACEMENT + 1);
        let (mapping, violations) = validated(&[
            ("first_name|there", Input::from("x")),
            ("firstName", Input::from("x")),
            ("last_name", Input::from(" ")),
            ("email", Input::Null),
            ("unsubscribe_url", Input::Bool(true)),
            ("view_online_url", Input::from(long.as_str())),
            ("field:a", Input::from("x\0")),
            ("field:é", Input::from("x")),
            ("field:e\u{301}", Input::from("x")),
        ]);
        assert_eq!(
            violations,
            [
                "merge_tag_mapping.first_name|there is not the name of a merge tag",
                "merge_tag_mapping.firstName is not the name of a merge tag",
                "merge_tag_mapping.last_name is required",
                "merge_tag_mapping.email is required",
                "merge_tag_mapping.unsubscribe_url must be a string",
                "merge_tag_mapping.view_online_url must be at most 1000 characters long",
                "merge_tag_mapping.field:a must not contain the NUL character",
                "merge_tag_mapping.field:e\u{301} is there twice",
            ]
        );
        assert_eq!(mapping.iter().count(), 1);
    }

    #[test]
    fn accepts_a_thousand_tags() {
        let tags = |n| (0..n).map(|n| (format!("field:k{n}"), Input::from("x")).into()).collect();
        assert!(violations(tags(MAX_MAPPED_TAGS)).is_empty());
        let refused = violations(tags(MAX_MAPPED_TAGS + 1));
        assert_eq!(refused.iter().next().map(|(path, _)| path), Some("merge_tag_mapping"));
    }
}
