//! Finds texts that look like merge tags but are not, which is almost always a typing error: `{{ fisrt_name }}` would
//! be sent as it is.

use std::collections::HashSet;

use super::merge_tag::{MergeTag, MergeTagName};
use super::template::pairs;
use crate::fields::Directory;

/// How many unknown tags are returned.
const SHOWN: usize = 20;

/// The longest part of a name that is shown or compared, in characters.
const LONG: usize = 60;

/// How similar a known name must be to be suggested, from 0 to 1.
const LIKENESS: f64 = 0.65;

/// A text in double braces that is not a merge tag, or that names a field which the company does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTag {
    /// The beginning of its name.
    pub name: String,
    /// The most similar known name.
    pub suggestion: Option<String>,
}

/// The unknown tags of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownTags {
    /// The first ones, each once.
    pub tags: Vec<UnknownTag>,
    /// How many more there are.
    pub more: usize,
}

/// The unknown tags of some templates. A field that was archived is known, because contacts keep its values.
#[must_use]
pub fn unknown_tags<'a>(
    templates: impl IntoIterator<Item = &'a str>,
    fields: &Directory,
) -> UnknownTags {
    let mut seen = HashSet::new();
    let mut first = Vec::new();
    for template in templates {
        for name in unknown_names(template, fields) {
            if seen.insert(name) && first.len() < SHOWN {
                first.push(name);
            }
        }
    }
    let known = if first.is_empty() { Vec::new() } else { known_names(fields) };
    let tag = |name: &&str| UnknownTag { name: shortened(name), suggestion: like(name, &known) };
    UnknownTags { tags: first.iter().map(tag).collect(), more: seen.len() - first.len() }
}

fn unknown_names<'a>(template: &'a str, fields: &Directory) -> impl Iterator<Item = &'a str> {
    pairs(template).filter_map(move |place| {
        let inside = template.get(place)?.strip_prefix("{{")?.strip_suffix("}}")?;
        let is_known = MergeTag::read(inside).is_some_and(|tag| match tag.name() {
            MergeTagName::Field(key) => fields.find(key.as_str()).is_some(),
            _ => true,
        });
        let (name, _) = inside.split_once('|').unwrap_or((inside, ""));
        (!is_known).then(|| name.trim())
    })
}

/// A known name, and the texts with which an unknown one is compared.
struct Known {
    name: String,
    compared: Vec<String>,
}

fn known_names(fields: &Directory) -> Vec<Known> {
    let attributes = MergeTagName::ATTRIBUTES.into_iter().map(|it| {
        let name = it.to_string();
        let compared = vec![plain(&name)];
        Known { name, compared }
    });
    // A field is often named without its prefix, and by its name in place of its key.
    let fields = fields.in_use().map(|field| {
        let name = MergeTagName::Field(field.key.clone()).to_string();
        let compared = vec![plain(&name), plain(field.key.as_str()), plain(&field.name)];
        Known { name, compared }
    });
    attributes.chain(fields).collect()
}

/// The known name that is most similar to this one, if any is similar enough.
fn like(name: &str, known: &[Known]) -> Option<String> {
    let plain = plain(name);
    let likeness = |known: &Known| {
        let each = known.compared.iter().map(|it| strsim::normalized_levenshtein(&plain, it));
        each.fold(0.0, f64::max)
    };
    let best = known.iter().map(|it| (it, likeness(it))).max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.filter(|(_, likeness)| *likeness >= LIKENESS).map(|(it, _)| it.name.clone())
}

/// The letters and digits of a name in lower case.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|it| it.is_alphanumeric());
    letters.flat_map(char::to_lowercase).take(LONG).collect()
}

fn shortened(name: &str) -> String {
    name.chars().take(LONG).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{UnknownTags, unknown_tags};
    use crate::fields::{Directory, Field, FieldName, FieldType, Filterable};
    use crate::ids::{DirectoryId, FieldId};
    use crate::input::FromText as _;

    fn directory(names: &[&str]) -> Directory {
        let field = |name: &&str| {
            let name = FieldName::from_text(name).expect("a name");
            Field {
                id: FieldId::new(Uuid::nil()),
                key: name.key().clone(),
                name: name.as_str().to_owned(),
                kind: FieldType::String,
                directory_id: DirectoryId::new(Uuid::nil()),
                archived: false,
                filterable: Filterable::No,
            }
        };
        Directory::new(names.iter().map(field).collect())
    }

    fn found(template: &str) -> Vec<(String, Option<String>)> {
        let UnknownTags { tags, more } = unknown_tags([template], &directory(&["Job Title"]));
        assert_eq!(more, 0);
        tags.into_iter().map(|it| (it.name, it.suggestion)).collect()
    }

    #[test]
    fn a_misspelt_tag_is_found_with_the_intended_one() {
        for (template, name, suggestion) in [
            ("Hi {{ fisrt_name }}", "fisrt_name", Some("first_name")),
            ("{{firstName|there}}", "firstName", Some("first_name")),
            ("{{First name}}", "First name", Some("first_name")),
            ("{{jobTitle}}", "jobTitle", Some("field:jobTitle")),
            ("{{field:jobTilte}}", "field:jobTilte", Some("field:jobTitle")),
            ("{{unsubscribe}}", "unsubscribe", Some("unsubscribe_url")),
            ("{{#if x}}", "#if x", None),
            ("{{}}", "", None),
        ] {
            let expected = (name.to_owned(), suggestion.map(str::to_owned));
            assert_eq!(found(template), [expected], "{template}");
        }
    }

    #[test]
    fn known_tags_and_other_text_are_not_reported() {
        for template in [
            "{{first_name|x}} {{ email }}",
            "{{field:jobTitle}}",
            "{first_name}",
            "{{{x}}}",
            "{{x",
            "",
        ] {
            assert_eq!(found(template), [], "{template}");
        }
    }

    #[test]
    fn very_many_are_counted() {
        let each = (0..50_000).map(|n| format!("{{{{x{n}}}}}{{{{x{n}}}}}"));
        let many = each.collect::<Vec<_>>().concat();
        let UnknownTags { tags, more } = unknown_tags([many.as_str()], &directory(&[]));
        assert_eq!((tags.len(), more), (20, 49_980));
        let long = format!("{{{{{}}}}}", "é".repeat(100_000));
        let UnknownTags { tags, .. } = unknown_tags([long.as_str()], &directory(&[]));
        assert_eq!(tags[0].name.chars().count(), 60);
    }
}
