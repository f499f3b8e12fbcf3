//! Filters of the list: those to choose from, and those in the address.

use contact_hub_domain::contacts::filters;

use crate::pages::address::Address;

/// The filters on one attribute.
pub(super) struct Choices {
    /// The attribute.
    pub(super) label: &'static str,
    /// Whether it is compared with a day.
    pub(super) is_moment: bool,
    /// The parameter and the words of each.
    pub(super) options: Vec<(String, String)>,
}

/// A filter in the address.
pub(super) struct Chip {
    /// What it says.
    pub(super) label: String,
    /// The list without it.
    pub(super) remove: String,
}

/// Every filter that takes one value, once.
pub(super) fn choices() -> Vec<Choices> {
    let of_attribute = |(name, operators): (&'static str, Vec<&'static str>)| {
        let label = attribute(name).unwrap_or(name);
        let options = operators.into_iter().filter_map(|operator| {
            // The other spellings of an operator say the same, and "between" takes two values.
            let words = operator_words(operator).filter(|_| operator != "between")?;
            let is_spelling = !operator.bytes().all(|byte| byte.is_ascii_alphabetic());
            (!is_spelling)
                .then(|| (format!("filter[{name}][{operator}]"), format!("{label} {words}")))
        });
        let is_moment = name.ends_with("_at");
        Choices { label, is_moment, options: options.collect() }
    };
    filters().map(of_attribute).collect()
}

/// The filters in the address.
pub(super) fn chips(address: &Address) -> Vec<Chip> {
    let pairs = address.pairs().iter().enumerate();
    let filters = pairs.filter(|(_, (name, _))| name.starts_with("filter"));
    let chip = |(place, (name, value)): (usize, &(String, String))| Chip {
        label: format!("{} {value}", words(name)),
        remove: address.without_nth(place).on_first_page().href("/contacts"),
    };
    filters.map(chip).collect()
}

/// The words of `filter[email][contains]`.
fn words(parameter: &str) -> String {
    let inside = parameter.trim_start_matches("filter").trim_matches(['[', ']']);
    let mut segments = inside.split("][").filter(|segment| !segment.is_empty());
    let name = segments.next().unwrap_or_default();
    let mut words = attribute(name).unwrap_or(name).to_owned();
    let mut has_operator = false;
    for segment in segments {
        has_operator = true;
        words.push(' ');
        words.push_str(operator_words(segment).unwrap_or(segment));
    }
    if !has_operator {
        words.push_str(" is");
    }
    words
}

fn attribute(name: &str) -> Option<&'static str> {
    Some(match name {
        "email" => "Email",
        "first_name" => "First name",
        "last_name" => "Last name",
        "created_at" => "Created",
        "updated_at" => "Changed",
        _ => return None,
    })
}

fn operator_words(name: &str) -> Option<&'static str> {
    Some(match name {
        "=" | "eq" => "is",
        "!=" | "ne" => "is not",
        "startsWith" => "starts with",
        "contains" => "contains",
        "notContains" => "does not contain",
        ">" | "gt" => "is after",
        "<" | "lt" => "is before",
        "<=" | "lte" => "is at most",
        ">=" | "gte" => "is at least",
        "exists" => "exists",
        "between" => "is between",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Address, chips, choices};

    #[test]
    fn offers_each_filter_once() {
        let all: Vec<String> =
            choices().into_iter().flat_map(|it| it.options).map(|(_, words)| words).collect();
        assert!(all.contains(&"Email starts with".to_owned()), "{all:?}");
        assert!(all.contains(&"Created is after".to_owned()), "{all:?}");
        let mut once = all.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), all.len(), "{all:?}");
    }

    #[test]
    fn shows_what_the_address_says() {
        let address =
            Address::of("search=x&filter[email][contains]=a&filter[last_name]=Lee&page[number]=2");
        let found = chips(&address);
        let labels: Vec<&str> = found.iter().map(|chip| chip.label.as_str()).collect();
        assert_eq!(labels, ["Email contains a", "Last name is Lee"]);
        assert_eq!(found[0].remove, "/contacts?search=x&filter[last_name]=Lee");
    }
}
