//! Which columns the list has, and how dense it is: a choice that a browser keeps.

use actix_web::HttpRequest;

use contact_hub_domain::contacts::{Contact, SortKey};
use contact_hub_domain::fields::{Directory, Field, Filterable};

use super::columns::field_at;
use super::values::in_words;
use crate::pages::address::Address;
use crate::pages::cookies;
use crate::pages::excerpt::shortened;
use crate::pages::moment::Moment;
use crate::state::WebState;

/// The maximum number of columns besides the email.
pub(super) const MAX_COLUMNS: usize = 8;

/// How many characters of a value a row shows.
const LONG_CELL: usize = 50;

/// How many characters of a column's name each row repeats for narrow windows.
const LONG_LABEL: usize = 24;

/// The columns that any company has besides the email, with their names for people.
pub(super) const OWN: [(&str, &str); 4] = [
    ("first_name", "First name"),
    ("last_name", "Last name"),
    ("created_at", "Created"),
    ("updated_at", "Changed"),
];

/// What marks a dense list.
const COMPACT: &str = "~compact";

/// The choice.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    columns: Vec<String>,
    /// Whether rows are dense.
    pub(super) is_compact: bool,
}

impl Layout {
    /// The choice in the address, or else in the cookie, or else the usual one.
    pub(super) fn of(address: &Address, request: &HttpRequest, state: &WebState) -> Self {
        match address.get("layout") {
            "" => cookies::layout(state, request).map_or_else(Self::default, |it| Self::parse(&it)),
            text => Self::parse(text),
        }
    }

    /// The choice in the form of the columns.
    pub(super) fn of_form(address: &Address) -> Self {
        let columns = in_form(address).take(MAX_COLUMNS).map(str::to_owned).collect();
        Self { columns, is_compact: address.get("density") == "compact" }
    }

    fn parse(text: &str) -> Self {
        let (columns, is_compact) =
            text.strip_suffix(COMPACT).map_or((text, false), |columns| (columns, true));
        let columns = columns.split('.').filter(|it| !it.is_empty()).take(MAX_COLUMNS);
        Self { columns: columns.map(str::to_owned).collect(), is_compact }
    }

    /// The choice as a text that cookies and addresses can have.
    pub(super) fn to_text(&self, directory: &Directory) -> String {
        let known: Vec<&str> = self
            .columns
            .iter()
            .map(String::as_str)
            .filter(|it| of_name(it, directory).is_some())
            .collect();
        // A choice without columns is valid too.
        let columns = if known.is_empty() { "email".to_owned() } else { known.join(".") };
        format!("{columns}{}", if self.is_compact { COMPACT } else { "" })
    }

    /// Whether a column is chosen.
    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|it| it == name)
    }

    /// The chosen columns that exist.
    pub(super) fn columns<'a>(&self, directory: &'a Directory) -> Vec<Column<'a>> {
        self.columns.iter().filter_map(|name| of_name(name, directory)).collect()
    }
}

impl Default for Layout {
    fn default() -> Self {
        Self { columns: OWN.map(|(name, _)| name.to_owned()).into(), is_compact: false }
    }
}

fn of_name<'a>(name: &str, directory: &'a Directory) -> Option<Column<'a>> {
    let own = OWN.into_iter().find(|(known, _)| *known == name);
    own.map(|(name, label)| Column::Own(name, label))
        .or_else(|| field_at(name, directory).map(Column::Field))
}

/// A column of the list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column<'a> {
    /// An attribute, with its name for people.
    Own(&'static str, &'static str),
    /// The values of a field.
    Field(&'a Field),
}

/// What one row has in one column.
pub(super) struct Cell {
    pub(super) label: String,
    pub(super) text: String,
    pub(super) moment: Option<Moment>,
}

impl Column<'_> {
    /// The name for people.
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Own(_, label) => label,
            Self::Field(field) => &field.name,
        }
    }

    /// The sort key of this column.
    pub(super) fn sort(&self) -> Option<String> {
        match self {
            Self::Own(name, _) => SortKey::ATTRIBUTES
                .iter()
                .any(|(known, _)| known == name)
                .then(|| (*name).to_owned()),
            Self::Field(field) => {
                (field.filterable == Filterable::Yes).then(|| format!("field:{}", field.key))
            }
        }
    }

    /// The cell of a contact in this column.
    pub(super) fn cell(&self, contact: &Contact) -> Cell {
        let label = shortened(self.label(), LONG_LABEL);
        let text = |text: &str| shortened(text, LONG_CELL);
        match self {
            Self::Own("first_name", _) => {
                Cell { label, text: text(contact.first_name.as_str()), moment: None }
            }
            Self::Own("last_name", _) => {
                Cell { label, text: text(contact.last_name.as_str()), moment: None }
            }
            Self::Own("created_at", _) => {
                Cell { label, text: String::new(), moment: Some(contact.created_at.into()) }
            }
            Self::Own(..) => {
                Cell { label, text: String::new(), moment: Some(contact.updated_at.into()) }
            }
            Self::Field(field) => {
                let value = contact.field_values.get(&field.key);
                Cell {
                    label,
                    text: value.map(|it| text(&in_words(it))).unwrap_or_default(),
                    moment: None,
                }
            }
        }
    }
}

/// Whether the form of the columns has more than are shown.
pub(super) fn has_too_many(address: &Address) -> bool {
    in_form(address).count() > MAX_COLUMNS
}

fn in_form(address: &Address) -> impl Iterator<Item = &str> {
    let columns = address.pairs().iter().filter(|(name, _)| name == "columns");
    columns.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
}

/// How many fields cannot be chosen, because there are too many before them.
pub(super) fn not_offered(layout: &Layout, directory: &Directory) -> usize {
    let fields = directory.fields().iter().enumerate().skip(MAX_CHOICES);
    let names = fields.filter(|(_, field)| !field.archived);
    names.filter(|(place, _)| !layout.has(&super::columns::target(*place))).count()
}

/// A column that can be chosen.
pub(super) struct Choice {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

/// How many fields are offered as columns.
const MAX_CHOICES: usize = 50;

/// The columns to choose from: those of every company, the fields that are chosen, and the first others.
pub(super) fn choices(layout: &Layout, directory: &Directory) -> Vec<Choice> {
    let own = OWN.into_iter().map(|(name, label)| (name.to_owned(), label.to_owned()));
    let fields = directory.fields().iter().enumerate();
    let fields = fields.map(|(place, field)| (super::columns::target(place), field));
    let offered = fields
        .enumerate()
        .filter(|(at, (name, field))| layout.has(name) || (*at < MAX_CHOICES && !field.archived));
    let fields = offered.map(|(_, (name, field))| (name, shortened(&field.name, LONG_CELL)));
    own.chain(fields)
        .map(|(name, label)| Choice { is_chosen: layout.has(&name), name, label })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Directory, Layout};

    #[test]
    fn a_layout_survives_a_round_trip_as_text() {
        let directory = Directory::default();
        for (text, kept) in [
            ("last_name.created_at", "last_name.created_at"),
            ("last_name~compact", "last_name~compact"),
            ("email", "email"),
            ("field:9.nothing", "email"),
            ("a.b.c.d.e.f.g.h.last_name", "email"),
        ] {
            assert_eq!(Layout::parse(text).to_text(&directory), kept, "{text}");
        }
    }
}
