//! Operators of filters.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    StartsWith,
    Contains,
    NotContains,
    Greater,
    Less,
    Between,
}

impl Operator {
    /// Every operator by each of its names.
    pub(super) const NAMES: [(&'static str, Self); 12] = [
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

    pub(super) fn parse(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, operator)| *operator)
    }
}
