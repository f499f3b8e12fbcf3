//! A property of a draft, parsed once.

use garde::rules::inner::Inner;

use crate::input::{FromInput, Input};
use crate::text;
use crate::violations::Problem;

/// The input for a property. The rules of its draft decide what is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Property<T> {
    /// The property is absent.
    #[default]
    Absent,
    /// An explicit null.
    Null,
    /// A text of white space only, which a form sends for an empty input, and its result as a value.
    Blank(Result<T, Problem>),
    /// Anything else: the value or the problem.
    Given(Result<T, Problem>),
}

impl<T> Property<T> {
    /// True when the property is absent.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The property, with null in place of an absent one.
    pub(crate) fn or_null(self) -> Self {
        if self.is_absent() { Self::Null } else { self }
    }

    /// A required value.
    pub(crate) fn required(&self) -> Result<&T, Problem> {
        match self {
            Self::Given(read) => read.as_ref().map_err(Clone::clone),
            Self::Absent | Self::Null | Self::Blank(_) => Err(Problem::new("is required")),
        }
    }
}

impl<T: Clone> Property<T> {
    /// The value.
    pub(crate) fn value(&self) -> Option<T> {
        match self {
            Self::Blank(read) | Self::Given(read) => read.as_ref().ok().cloned(),
            Self::Absent | Self::Null => None,
        }
    }

    /// The value; `None` for a blank text.
    pub(crate) fn filled(&self) -> Option<T> {
        self.required().ok().cloned()
    }

    /// The value, or the previous one when absent.
    pub(crate) fn or(&self, before: &T) -> T {
        self.value().unwrap_or_else(|| before.clone())
    }
}

impl<T> Property<Vec<T>> {
    /// Not an array.
    #[must_use]
    pub fn not_an_array() -> Self {
        Self::Given(Err(Problem::new("must be an array")))
    }

    /// Not an object.
    #[must_use]
    pub fn not_an_object() -> Self {
        Self::Given(Err(Problem::new("must be an object")))
    }

    /// The entries; empty when there is no list.
    pub(crate) fn entries(&self) -> &[T] {
        match self {
            Self::Given(Ok(entries)) => entries,
            _ => &[],
        }
    }

    /// The entries, as [`Self::entries`].
    pub(crate) fn into_entries(self) -> Vec<T> {
        match self {
            Self::Given(Ok(entries)) => entries,
            _ => Vec::new(),
        }
    }
}

impl<T: Clone> Property<Vec<Property<T>>> {
    /// The values of a list; `None` when there is no list.
    pub(crate) fn values<C: FromIterator<T>>(&self) -> Option<C> {
        match self {
            Self::Given(Ok(entries)) => Some(entries.iter().filter_map(Property::value).collect()),
            _ => None,
        }
    }
}

/// The rules of a list's entries name an entry by its place, as in `events.1`.
impl<T> Inner<T> for Property<Vec<T>> {
    type Key = String;

    fn validate_inner<F: FnMut(&T, &String)>(&self, mut rules: F) {
        for (place, entry) in self.entries().iter().enumerate() {
            rules(entry, &place.to_string());
        }
    }
}

impl<T: FromInput> From<Input> for Property<T> {
    fn from(input: Input) -> Self {
        match &input {
            Input::Absent => Self::Absent,
            Input::Null => Self::Null,
            Input::Text(text) if text::trimmed(text).is_empty() => {
                Self::Blank(T::from_input(&input))
            }
            _ => Self::Given(T::from_input(&input)),
        }
    }
}

impl<T: FromInput> From<&str> for Property<T> {
    fn from(text: &str) -> Self {
        Input::from(text).into()
    }
}

/// A list of these entries. A reader may stop one past the maximum.
impl<T> FromIterator<T> for Property<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Self::Given(Ok(entries.into_iter().collect()))
    }
}
