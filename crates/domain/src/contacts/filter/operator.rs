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
    /// It is greater or equal.
    GreaterOrEqual,
    /// It is less or equal.
    LessOrEqual,
    /// There is one, or none.
    Exists,
    /// It is between two ends, or equal to one.
    Between,
}

impl Operator {
    /// Every operator by each of its names.
    pub const NAMES: [(&'static str, Self); 17] = [
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
        (">=", Self::GreaterOrEqual),
        ("gte", Self::GreaterOrEqual),
        ("<=", Self::LessOrEqual),
        ("lte", Self::LessOrEqual),
        ("exists", Self::Exists),
        ("between", Self::Between),
    ];

    /// The name of the short form.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let names = Self::NAMES.iter().rev();
        names.clone().find(|(_, operator)| *operator == self).map_or("", |(name, _)| name)
    }

    /// The operator with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, operator)| *operator)
    }
}
