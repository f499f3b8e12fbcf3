//! The merge tags that an editor offers.

use contact_hub_domain::fields::Directory;
use contact_hub_domain::sync::MergeTagName;

use crate::pages::excerpt::shortened;

/// How many fields are offered, the newest first; others are typed.
const FIELDS: usize = 50;

/// How much of a field's name is shown, in characters.
const LONG_NAME: usize = 60;

/// A merge tag to insert.
pub(super) struct TagChoice {
    /// The tag.
    pub(super) tag: String,
    /// What it is.
    pub(super) label: String,
}

/// The attributes of contacts and the company's fields.
pub(super) fn tag_choices(fields: &Directory) -> Vec<TagChoice> {
    let choice =
        |name: &MergeTagName, label: String| TagChoice { tag: format!("{{{{{name}}}}}"), label };
    let attributes = MergeTagName::ATTRIBUTES.iter().map(|it| choice(it, attribute(it).to_owned()));
    let newest: Vec<_> = fields.in_use().collect();
    let fields = newest.into_iter().rev().take(FIELDS).map(|field| {
        let name = MergeTagName::Field(field.key.clone());
        choice(&name, shortened(&field.name, LONG_NAME))
    });
    attributes.chain(fields).collect()
}

const fn attribute(name: &MergeTagName) -> &'static str {
    match name {
        MergeTagName::FirstName => "First name",
        MergeTagName::LastName => "Last name",
        MergeTagName::Email => "Email",
        MergeTagName::UnsubscribeUrl => "Unsubscribe address",
        MergeTagName::ViewOnlineUrl => "View online address",
        MergeTagName::Field(_) => "Field",
    }
}
