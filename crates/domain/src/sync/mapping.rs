//! A company's own text for merge tags in one format: the custom field names of its platform.

use std::collections::BTreeMap;

use super::merge_tag::MergeTagName;
use crate::input::{FromText, Input};
use crate::text;
use crate::violations::{Problem, Violations};

/// The most tags that a mapping names.
pub const MAX_MAPPED_TAGS: usize = 1000;

/// The longest text that a tag is mapped to, in code points.
pub const MAX_REPLACEMENT: usize = 1000;

/// The text for each mapped tag. It replaces the tag unchanged; the fallback is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeTagMapping(BTreeMap<MergeTagName, String>);

impl MergeTagMapping {
    /// Validates the members of a JSON object, from tag names such as `field:jobTitle` to texts. Violations have the
    /// path `<path>.<name>`, and invalid members are left out.
    pub fn validate(path: &str, entries: &[(String, Input)], violations: &mut Violations) -> Self {
        if entries.len() > MAX_MAPPED_TAGS {
            let sentence = format!("must have at most {MAX_MAPPED_TAGS} tags");
            violations.add(path, Problem::new(sentence));
            return Self::default();
        }
        let mut mapping = Self::default();
        for (name, input) in entries {
            let path = format!("{path}.{name}");
            let entry = judge_entry(name, input).and_then(|entry| mapping.insert(entry));
            let _kept = violations.collect(&path, entry);
        }
        mapping
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

    fn insert(
        &mut self,
        (name, Replacement(text)): (MergeTagName, Replacement),
    ) -> Result<(), Problem> {
        match self.0.insert(name, text) {
            Some(_) => Err(Problem::new("is there twice")),
            None => Ok(()),
        }
    }
}

fn judge_entry(name: &str, input: &Input) -> Result<(MergeTagName, Replacement), Problem> {
    let name =
        MergeTagName::parse(name).ok_or_else(|| Problem::new("is not the name of a merge tag"))?;
    Ok((name, input.required()?))
}

/// The text for a tag, not trimmed.
struct Replacement(String);

impl FromText for Replacement {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let text = text::without_nul(text::bounded(text, MAX_REPLACEMENT)?)?;
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MAPPED_TAGS, MAX_REPLACEMENT, MergeTagMapping};
    use crate::input::Input;
    use crate::sync::MergeTagName;
    use crate::violations::Violations;

    fn validated(entries: &[(&str, Input)]) -> (MergeTagMapping, Vec<String>) {
        let entries: Vec<(String, Input)> =
            entries.iter().map(|(name, input)| ((*name).to_owned(), input.clone())).collect();
        let mut violations = Violations::default();
        let mapping = MergeTagMapping::validate("merge_tags", &entries, &mut violations);
        let found = violations
            .iter()
            .map(|(path, messages)| format!("{path} {}", messages.join("; ")))
            .collect();
        (mapping, found)
    }

    #[test]
    fn keeps_texts_as_they_are() {
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
    fn names_what_is_wrong() {
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
                "merge_tags.first_name|there is not the name of a merge tag",
                "merge_tags.firstName is not the name of a merge tag",
                "merge_tags.last_name is required",
                "merge_tags.email is required",
                "merge_tags.unsubscribe_url must be a string",
                "merge_tags.view_online_url must be at most 1000 characters long",
                "merge_tags.field:a must not contain the NUL character",
                "merge_tags.field:e\u{301} is there twice",
            ]
        );
        assert_eq!(mapping.iter().count(), 1);
    }

    #[test]
    fn takes_a_thousand_tags() {
        let entry = |n: usize| (format!("field:k{n}"), Input::from("x"));
        let entries: Vec<_> = (0..=MAX_MAPPED_TAGS).map(entry).collect();
        let mut violations = Violations::default();
        let all_but_one = &entries[..MAX_MAPPED_TAGS];
        let mapping = MergeTagMapping::validate("merge_tags", all_but_one, &mut violations);
        assert_eq!(mapping.iter().count(), MAX_MAPPED_TAGS);
        assert!(violations.is_empty());
        MergeTagMapping::validate("merge_tags", &entries, &mut violations);
        assert_eq!(violations.iter().next().map(|(path, _)| path), Some("merge_tags"));
    }
}
