//! The attributes that can be filtered.

/// An attribute that holds text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAttribute {
    /// The address.
    Email,
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
}

/// An attribute that holds a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentAttribute {
    /// When the contact was first created.
    CreatedAt,
    /// When an attribute or value of the contact last changed.
    UpdatedAt,
}

/// Any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// One that holds text.
    Text(TextAttribute),
    /// One that holds a moment.
    Moment(MomentAttribute),
}

impl Attribute {
    /// Every attribute with its name in the interface.
    pub const ALL: [(&'static str, Self); 5] = [
        ("email", Self::Text(TextAttribute::Email)),
        ("first_name", Self::Text(TextAttribute::FirstName)),
        ("last_name", Self::Text(TextAttribute::LastName)),
        ("created_at", Self::Moment(MomentAttribute::CreatedAt)),
        ("updated_at", Self::Moment(MomentAttribute::UpdatedAt)),
    ];

    /// The attribute with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|(known, _)| *known == name);
        known.map(|(_, attribute)| *attribute)
    }
}
