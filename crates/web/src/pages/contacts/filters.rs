//! Filters of the list: those to choose from, and those in the address.

use contact_hub_domain::contacts::{field_operators, filters};
use contact_hub_domain::fields::{Directory, Field, FieldType, Filterable};

use crate::pages::address::Address;
use crate::pages::excerpt::shortened;

/// How many characters of a name or a value a filter shows.
const LONG_WORD: usize = 60;

/// The filters on one attribute or field.
pub(super) struct Choices {
    /// The attribute or field.
    pub(super) label: String,
    /// The input in which its values are typed or picked.
    pub(super) input: &'static str,
    /// The parameter and the words of each.
    pub(super) options: Vec<(String, String)>,
}

/// A filter in the address.
pub(super) struct Chip {
    /// The attribute or field.
    pub(super) subject: String,
    /// The operator in words.
    pub(super) operator: String,
    /// The value that it is compared with.
    pub(super) value: String,
    /// The list without it.
    pub(super) remove: String,
}

/// The type as which an attribute or field is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Day,
    Moment,
    Boolean,
}

impl Kind {
    const fn of(field: &Field) -> Self {
        match field.kind {
            FieldType::String => Self::Text,
            FieldType::Number => Self::Number,
            FieldType::Date => Self::Day,
            FieldType::DateTime => Self::Moment,
            FieldType::Boolean => Self::Boolean,
        }
    }

    const fn input(self) -> &'static str {
        match self {
            Self::Text | Self::Number | Self::Boolean => "text",
            Self::Day => "date",
            Self::Moment => "datetime-local",
        }
    }
}

/// Every filter that takes one value, once.
pub(super) fn choices(directory: &Directory) -> Vec<Choices> {
    let of_attributes = filters().map(|(name, operators)| {
        let kind = if name.ends_with("_at") { Kind::Day } else { Kind::Text };
        let label = attribute(name).unwrap_or(name).to_owned();
        chosen(name, label, kind, operators.into_iter())
    });
    let filterable = directory.fields().iter().filter(|it| it.filterable == Filterable::Yes);
    let of_fields = filterable.map(|field| {
        let label = shortened(&field.name, LONG_WORD);
        let name = format!("field:{}", field.key);
        chosen(&name, label, Kind::of(field), field_operators(field.kind))
    });
    of_attributes.chain(of_fields).collect()
}

fn chosen(
    name: &str,
    label: String,
    kind: Kind,
    operators: impl Iterator<Item = &'static str>,
) -> Choices {
    // The other spellings of an operator mean the same, and "between" takes two values.
    let once = operators
        .filter(|it| *it != "between" && it.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let options = once.flat_map(|operator| {
        let parameter = format!("filter[{name}][{operator}]");
        let own: &[&str] = match (operator, kind) {
            ("exists", _) | ("eq", Kind::Boolean) => &["true", "false"],
            _ => &[],
        };
        if own.is_empty() {
            return vec![(parameter, format!("{label} {}", words(operator, kind)))];
        }
        let option = |value: &&str| {
            let (operator, value_words) = spoken(operator, value, kind);
            let sentence = format!("{label} {operator} {value_words}");
            (format!("{parameter}={value}"), sentence.trim_end().to_owned())
        };
        own.iter().map(option).collect()
    });
    let options = options.collect();
    Choices { label, input: kind.input(), options }
}

/// The filters in the address.
pub(super) fn chips(address: &Address, directory: &Directory) -> Vec<Chip> {
    let pairs = address.pairs().iter().enumerate();
    let filters = pairs.filter(|(_, (name, _))| name.starts_with("filter"));
    let chip = |(place, (name, value)): (usize, &(String, String))| {
        let (subject, operator, value) = said(name, value, directory);
        let remove = address.without_nth(place).on_first_page().href("/contacts");
        Chip { subject, operator, value: shortened(&value, LONG_WORD), remove }
    };
    filters.map(chip).collect()
}

/// The words of a filter such as `filter[email][contains]=example`: its subject, its operator and its value.
fn said(parameter: &str, value: &str, directory: &Directory) -> (String, String, String) {
    let inside = parameter.trim_start_matches("filter").trim_matches(['[', ']']);
    let mut segments = inside.split("][").filter(|segment| !segment.is_empty());
    let name = segments.next().unwrap_or_default();
    let field = name.strip_prefix("field:").and_then(|key| directory.find(key));
    let own = if name.ends_with("_at") { Kind::Day } else { Kind::Text };
    let kind = field.map_or(own, Kind::of);
    let known = field.map(|field| field.name.as_str()).or_else(|| attribute(name));
    let subject = shortened(known.unwrap_or(name), LONG_WORD);
    let operators: Vec<&str> = segments.collect();
    match operators.as_slice() {
        [] | [_] => {
            let operator = operators.first().copied().unwrap_or("eq");
            let (operator, value) = spoken(operator, value, kind);
            (subject, operator, value)
        }
        several => (subject, several.join(" "), value.to_owned()),
    }
}

/// An operator and its value in words.
fn spoken(operator: &str, value: &str, kind: Kind) -> (String, String) {
    let yes_or_no = |value: &str| if value == "true" { "Yes" } else { "No" }.to_owned();
    match (operator, value, kind) {
        ("exists", "true", _) => ("has a value".to_owned(), String::new()),
        ("exists", "false", _) => ("has no value".to_owned(), String::new()),
        ("operator", operator, kind) => ("comparison".to_owned(), words(operator, kind)),
        (operator, "true" | "false", Kind::Boolean) => (words(operator, kind), yes_or_no(value)),
        (operator, value, kind) => (words(operator, kind), value.to_owned()),
    }
}

fn attribute(name: &str) -> Option<&'static str> {
    Some(match name {
        "email" => "Email",
        "first_name" => "First name",
        "last_name" => "Last name",
        // The list shows the moments in the visitor's zone, and a filter takes a day of UTC.
        "created_at" => "Created (UTC)",
        "updated_at" => "Changed (UTC)",
        _ => return None,
    })
}

fn words(operator: &str, kind: Kind) -> String {
    let is_number = kind == Kind::Number;
    let words = match operator {
        "=" | "eq" => "is",
        "!=" | "ne" => "is not",
        "startsWith" => "starts with",
        "contains" => "contains",
        "notContains" => "does not contain",
        ">" | "gt" if is_number => "is more than",
        "<" | "lt" if is_number => "is less than",
        ">=" | "gte" if is_number => "is at least",
        "<=" | "lte" if is_number => "is at most",
        ">" | "gt" => "is after",
        "<" | "lt" => "is before",
        "<=" | "lte" => "is on or before",
        ">=" | "gte" => "is on or after",
        "exists" => "exists",
        "between" => "is between",
        other => other,
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::Directory;

    use super::{Address, chips, choices};

    #[test]
    fn offers_each_filter_once() {
        let choices = choices(&Directory::default()).into_iter();
        let all: Vec<String> = choices.flat_map(|it| it.options).map(|(_, words)| words).collect();
        assert!(all.contains(&"Email starts with".to_owned()), "{all:?}");
        assert!(all.contains(&"Created (UTC) is after".to_owned()), "{all:?}");
        let mut once = all.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), all.len(), "{all:?}");
    }

    #[test]
    fn shows_the_filters_of_the_address() {
        let address = Address::of(
            "search=x&filter[email][contains]=a&filter[last_name]=Lee&filter[foo][bar]=z&page[number]=2",
        );
        let found = chips(&address, &Directory::default());
        let words = found.iter().map(|it| format!("{} {} {}", it.subject, it.operator, it.value));
        let words: Vec<String> = words.collect();
        assert_eq!(words, ["Email contains a", "Last name is Lee", "foo bar z"]);
        assert!(found[0].remove.starts_with("/contacts?search=x&filter[last_name]=Lee"));
    }
}
