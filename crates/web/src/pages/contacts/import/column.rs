//! What the columns of a file become: `email`, `field:3`, `field:3~dmy` with a reading, `new:date~dmy` for a field that is
//! not there yet, or nothing.

use std::collections::HashSet;

use contact_hub_domain::contacts::ContactDraft;
use contact_hub_domain::fields::{Directory, Field, FieldType};
use contact_hub_domain::input::{FromText as _, Input};
use csv::StringRecord;

use super::cells;
use super::reading::Reading;
use crate::error::ApiError;
use crate::pages::contacts::columns::{ATTRIBUTES, field_at};
use crate::pages::contacts::table::text_of;

/// What one column becomes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'a> {
    /// Nothing.
    Ignored,
    /// An attribute.
    Attribute(&'static str),
    /// The values of a field.
    Field(&'a Field),
    /// The values of a field of this type that is made at the start.
    New(FieldType),
}

/// A column with its reading, which may not be chosen yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'a> {
    pub(super) target: Target<'a>,
    pub(super) reading: Option<Reading>,
}

impl<'a> Column<'a> {
    /// Parses a column; `None` for an unknown target or reading.
    pub(super) fn of(text: &str, directory: &'a Directory) -> Option<Self> {
        let (name, reading) = match text.split_once('~') {
            Some((name, code)) => (name, Some(Reading::of(code)?)),
            None => (text, None),
        };
        let attribute = || ATTRIBUTES.iter().find(|(target, ..)| *target == name);
        let target = if name.is_empty() {
            Target::Ignored
        } else if let Some(kind) = name.strip_prefix("new:") {
            Target::New(FieldType::from_text(kind).ok()?)
        } else if let Some((target, ..)) = attribute() {
            Target::Attribute(target)
        } else {
            Target::Field(field_at(name, directory)?)
        };
        Some(Self { target, reading })
    }

    /// The columns of a call. No two may become the same, as the later cell would replace the earlier one.
    pub(super) fn all<'t>(
        texts: impl Iterator<Item = &'t str>,
        directory: &'a Directory,
    ) -> Result<Vec<Self>, ApiError> {
        let mut taken = HashSet::new();
        let mut columns = Vec::new();
        for text in texts {
            let column = Self::of(text, directory).ok_or_else(|| {
                ApiError::unreadable_body("has a column that becomes nothing known")
            })?;
            let name = text.split('~').next().unwrap_or_default();
            let can_repeat = matches!(column.target, Target::Ignored | Target::New(_));
            if !can_repeat && !taken.insert(name) {
                return Err(ApiError::unreadable_body("has two columns that become the same"));
            }
            columns.push(column);
        }
        Ok(columns)
    }

    /// The type of the values; none for attributes and columns that are left out.
    pub(super) const fn kind(&self) -> Option<FieldType> {
        match self.target {
            Target::Field(field) => Some(field.kind),
            Target::New(kind) => Some(kind),
            Target::Ignored | Target::Attribute(_) => None,
        }
    }
}

/// A row as a contact, and what is wrong with the cells of fields that are not there yet, by their columns.
pub(super) struct Drafted {
    pub(super) contact: ContactDraft,
    pub(super) unread: Vec<usize>,
}

/// Reads a row. An empty cell is absent, so that it does not change an existing contact.
pub(super) fn draft(row: &StringRecord, columns: &[Column<'_>]) -> Drafted {
    let mut contact = ContactDraft::default();
    let mut values: Vec<(String, Input)> = Vec::new();
    let mut unread = Vec::new();
    for (place, (column, cell)) in columns.iter().zip(row.iter()).enumerate() {
        let text = text_of(cell);
        let text = text.as_str();
        if text.is_empty() {
            continue;
        }
        let reading = column.reading.unwrap_or_default();
        match column.target {
            Target::Ignored => {}
            Target::Attribute("email") => contact.email = text.into(),
            Target::Attribute("first_name") => contact.first_name = text.into(),
            Target::Attribute("last_name") => contact.last_name = text.into(),
            Target::Attribute(_) => contact.avatar_url = text.into(),
            Target::Field(field) => {
                values.push((field.key.to_string(), cells::input(field.kind, reading, text)));
            }
            Target::New(kind) => {
                if cells::value(kind, reading, text).is_none() {
                    unread.push(place);
                }
            }
        }
    }
    contact.field_values = values.into_iter().collect();
    Drafted { contact, unread }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::Directory;
    use contact_hub_domain::property::Property;

    use super::{Column, draft};
    use crate::pages::contacts::import::csv_rows::records;

    fn columns(texts: &[&str]) -> Option<Vec<Column<'static>>> {
        static NONE: std::sync::LazyLock<Directory> = std::sync::LazyLock::new(Directory::default);
        Column::all(texts.iter().copied(), &NONE).ok()
    }

    #[test]
    fn an_empty_cell_sets_no_value() {
        let rows = records("\u{feff}a@b.co,,'=Ann\n".as_bytes(), b',', 9).expect("rows");
        let columns = columns(&["email", "first_name", "last_name"]).expect("columns");
        let drafted = draft(&rows[0], &columns).contact;
        assert_eq!(drafted.email, "a@b.co".into());
        assert_eq!(drafted.first_name, Property::Absent);
        assert_eq!(drafted.last_name, "=Ann".into());
    }

    #[test]
    fn cells_of_a_new_field_are_only_checked() {
        let rows = records(b"a@b.co,31.01.2026\na@b.co,soon\na@b.co,\n", b',', 9).expect("rows");
        let columns = columns(&["email", "new:date~dmy"]).expect("columns");
        let unread = |row: usize| draft(&rows[row], &columns).unread;
        assert_eq!((unread(0), unread(1), unread(2)), (vec![], vec![1], vec![]));
    }

    #[test]
    fn columns_must_have_known_and_distinct_targets() {
        assert!(columns(&["email", "", "", "new:string", "new:string"]).is_some());
        for refused in
            [&["email", "email"][..], &["field:0"], &["phone"], &["new:colour"], &["new:date~x"]]
        {
            assert!(columns(refused).is_none(), "{refused:?}");
        }
    }
}
