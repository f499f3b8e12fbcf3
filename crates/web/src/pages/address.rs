//! The query of an address, parsed and built, since the address contains the state of a list.

use url::form_urlencoded::{Serializer, parse};

/// The parameters of a query in their order, decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Address(Vec<(String, String)>);

impl Address {
    /// Reads a query as it was sent.
    pub(crate) fn of(query: &str) -> Self {
        Self(parse(query.as_bytes()).into_owned().collect())
    }

    /// Every parameter.
    pub(crate) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// The last value of a parameter, empty when there is none.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Without the parameters that `leave_out` names.
    #[must_use]
    pub(crate) fn without(&self, leave_out: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| !leave_out(name)).cloned().collect())
    }

    /// Without the parameter at this place.
    #[must_use]
    pub(crate) fn without_nth(&self, place: usize) -> Self {
        let others = self.0.iter().enumerate().filter(|(at, _)| *at != place);
        Self(others.map(|(_, pair)| pair.clone()).collect())
    }

    /// With one more.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same list from its first page.
    #[must_use]
    pub(crate) fn on_first_page(&self) -> Self {
        self.without(|name| name == "page[number]")
    }

    /// The path with this query; brackets stay readable, as every part of the service takes them bare.
    pub(crate) fn href(&self, path: &str) -> String {
        if self.0.is_empty() {
            return path.to_owned();
        }
        let query = Serializer::new(String::new()).extend_pairs(&self.0).finish();
        format!("{path}?{}", query.replace("%5B", "[").replace("%5D", "]"))
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn an_address_is_parsed_and_rebuilt() {
        let address = Address::of("search=a+b&filter%5Bemail%5D%5B=%5D=x%26y&page[number]=3");
        assert_eq!(address.get("search"), "a b");
        assert_eq!(address.pairs().len(), 3);
        let first = address.on_first_page();
        assert_eq!(Address::of("").href("/x"), "/x");
        assert_eq!(first.clone().without_nth(1).href("/x"), "/x?search=a+b");
        assert_eq!(Address::of("").with("sort", "-a&b").href("/x"), "/x?sort=-a%26b");
    }
}
