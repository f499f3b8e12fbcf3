//! The form above the list, as an address: what is to be added, and the resulting list.

use super::layout::Layout;
use crate::pages::address::Address;

/// The parameters that only the forms above the list have.
const HELPERS: [&str; 4] = ["add", "value", "columns", "density"];

/// What the address asks for.
pub(super) enum Narrowing {
    /// A list.
    Whole,
    /// The list at another address, and its new layout.
    Settled(Address, Option<Layout>),
    /// A filter that lacks something.
    Incomplete(Incomplete),
}

/// A filter that lacks something, and the list without it.
pub(super) struct Incomplete {
    pub(super) address: Address,
    pub(super) add: String,
    pub(super) value: String,
    pub(super) problem: &'static str,
}

/// Reads the forms: an added filter becomes a parameter, and empty fields are left out.
pub(super) fn narrowing(address: &Address) -> Narrowing {
    let has = |name: &str| address.pairs().iter().any(|(known, _)| known == name);
    let without_search = has("search") && address.get("search").is_empty();
    if !without_search && !HELPERS.iter().any(|it| has(it)) {
        return Narrowing::Whole;
    }
    let clean =
        address.without(|name| HELPERS.contains(&name) || (without_search && name == "search"));
    if has("columns") {
        let layout = Layout::of_form(address);
        return Narrowing::Settled(clean.without(|name| name == "layout"), Some(layout));
    }
    let (add, value) = (address.get("add"), address.get("value"));
    let lacking = |problem| {
        let (add, value) = (add.to_owned(), value.to_owned());
        Narrowing::Incomplete(Incomplete { address: clean.clone(), add, value, problem })
    };
    // Some filters, such as one for a value that is there, have their value in their name.
    let (name, own) = add.split_once('=').map_or((add, None), |(name, own)| (name, Some(own)));
    let value = own.unwrap_or(value);
    match (name.starts_with("filter["), value.is_empty()) {
        (true, false) => Narrowing::Settled(clean.clone().with(name, value), None),
        (true, true) => lacking("Enter a value for the filter."),
        (false, false) => lacking("Choose what to filter by."),
        (false, true) => Narrowing::Settled(clean.clone(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Narrowing, narrowing};

    fn settled(query: &str) -> Option<String> {
        match narrowing(&Address::of(query)) {
            Narrowing::Whole => Some("whole".to_owned()),
            Narrowing::Settled(address, _) => Some(address.href("/")),
            Narrowing::Incomplete(_) => None,
        }
    }

    #[test]
    fn no_filter_is_dropped_silently() {
        for (query, address) in [
            ("search=a", Some("whole")),
            ("search=", Some("/")),
            ("add=&value=&sort=email", Some("/?sort=email")),
            ("add=filter[email][eq]&value=a", Some("/?filter[email][eq]=a")),
            ("add=filter[field:x][exists]=true&value=", Some("/?filter[field%3Ax][exists]=true")),
            ("add=filter[email][eq]&value=", None),
            ("add=&value=a", None),
            ("columns=email&columns=last_name&search=a&layout=x", Some("/?search=a")),
        ] {
            assert_eq!(settled(query).as_deref(), address, "{query}");
        }
    }
}
