//! Which contacts are listed, and in which order.

/// Which contacts are listed or exported, and in which order. Conditions are joined by AND.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactQuery {
    parameters: Vec<(String, String)>,
    page_size: Option<u32>,
}

impl ContactQuery {
    /// The largest page that the service returns.
    pub const LARGEST_PAGE: u32 = 100;

    /// All contacts in the order of their creation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only contacts that match these words by email, first name or last name.
    #[must_use]
    pub fn search(self, words: impl Into<String>) -> Self {
        self.parameter("search", words)
    }

    /// Only contacts whose `email`, `first_name`, `last_name` or `field:<key>` equals a value.
    #[must_use]
    pub fn filter(self, name: &str, value: impl Into<String>) -> Self {
        self.parameter(format!("filter[{name}]"), value)
    }

    /// Only contacts whose attribute compares to a value like this, such as `filter_by("last_name", "startsWith", "Le")`.
    /// The OpenAPI document lists the operators.
    #[must_use]
    pub fn filter_by(self, name: &str, operator: &str, value: impl Into<String>) -> Self {
        self.parameter(format!("filter[{name}][{operator}]"), value)
    }

    /// Sorts by an attribute, after earlier ones. A leading `-` means descending.
    #[must_use]
    pub fn sort(self, by: impl Into<String>) -> Self {
        self.parameter("sort[]", by)
    }

    /// Lists contacts with their field values.
    #[must_use]
    pub fn with_field_values(self) -> Self {
        self.parameter("include", "field_values")
    }

    /// Sets how many contacts a page of a list has, up to [`Self::LARGEST_PAGE`].
    #[must_use]
    pub const fn page_size(mut self, size: u32) -> Self {
        self.page_size = Some(size);
        self
    }

    /// With the largest pages, unless their size is set.
    pub(super) const fn or_largest_pages(self) -> Self {
        match self.page_size {
            Some(_) => self,
            None => self.page_size(Self::LARGEST_PAGE),
        }
    }

    /// Adds any parameter of the operation.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.push((name.into(), value.into()));
        self
    }

    /// The parameters of a list.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let size = self.page_size.map(|size| ("page[size]".to_owned(), size.to_string()));
        self.conditions().cloned().chain(size)
    }

    /// The parameters of an export, which has no pages.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &(String, String)> {
        self.parameters.iter()
    }
}
