//! Operators of filters.

/// How an attribute is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// It is equal.
    Equal,
    /// It is not equal.
    NotEqual,
    /// It begins with the text.
    StartsWith,
    /// It contains the text.
    Contains,
    /// It does not contain the text.
    NotContains,
    /// It is greater, or later.
    Greater,
    /// It is less, or earlier.
    Less,
    /// It is between two ends, or equal to one.
    Between,
}

impl Operator {
    /// Every operator by each of its names.
    pub const NAMES: [(&'static str, Self); 12] = [
        ("=", Self::Equal),
        ("eq", Self::Equal),
        ("!=", Self::NotEqual),
        ("ne", Self::NotEqual),
        ("startsWith", Self::StartsWith),
        ("contains", Self::Contains),
        ("notContains", Self::NotContains),
        (">", Self::Greater),
        ("gt", Self::Greater),
        ("<", Self::Less),
        ("lt", Self::Less),
        ("between", Self::Between),
    ];

    /// The operator with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, operator)| *operator)
    }
}
