//! The input for a list of contacts, and its validation.

use super::filter::field_conditions;
use super::sort::{Sort, SortKey, Sorts};
use super::{Comparison, ContactsError, ListQuery};
use crate::context::{ContactPorts, Context};
use crate::fields::{Directory, Field, Filterable};
use crate::violations::{Problem, Violations};

/// The comparisons of a field, named by its key.
#[derive(Clone, Debug)]
pub struct FieldFilter {
    /// The key as given.
    pub key: String,
    /// The path of its violations.
    pub path: String,
    /// The comparisons.
    pub comparisons: Vec<Comparison>,
}

/// What a list is sorted by, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortName {
    /// An attribute.
    Attribute(SortKey),
    /// The field with this key.
    Field(String),
}

/// The input for a list: what is valid in any company, and what depends on the company's fields.
#[derive(Clone, Debug, Default)]
pub struct ListDraft {
    /// The query without its order and without conditions on fields.
    pub query: ListQuery,
    /// The order, with whether each key is descending; the default order when there is none.
    pub sorts: Vec<(SortName, bool)>,
    /// The conditions on fields.
    pub filters: Vec<FieldFilter>,
    /// The violations that were found.
    pub violations: Violations,
}

impl ListDraft {
    /// Validates against the caller's fields. They are not read unless the draft names one.
    pub async fn read(self, cx: &Context<'_, ContactPorts>) -> Result<ListQuery, ContactsError> {
        let keys: Vec<&str> = self.keys().collect();
        if keys.is_empty() {
            return Ok(self.validate(&Directory::default())?);
        }
        let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
        Ok(self.validate(&directory)?)
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        let sorted = self.sorts.iter().filter_map(|(name, _)| match name {
            SortName::Field(key) => Some(key.as_str()),
            SortName::Attribute(_) => None,
        });
        self.filters.iter().map(|filter| filter.key.as_str()).chain(sorted)
    }

    /// Validates against a company's fields. All violations are returned at once.
    pub fn validate(self, directory: &Directory) -> Result<ListQuery, Violations> {
        let Self { mut query, sorts, filters, mut violations } = self;
        for filter in filters {
            match filterable(directory, &filter.key) {
                Ok(field) => {
                    query.conditions.extend(field_conditions(field, filter, &mut violations));
                }
                Err(problem) => violations.add_once(&filter.path, problem),
            }
        }
        let mut keys = Vec::with_capacity(sorts.len());
        for (place, (name, descending)) in sorts.into_iter().enumerate() {
            let key = match name {
                SortName::Attribute(key) => Ok(key),
                SortName::Field(key) => {
                    filterable(directory, &key).map(|field| SortKey::Field(field.id))
                }
            };
            let key = violations.collect(&format!("sort.{place}"), key);
            keys.extend(key.map(|key| Sort { key, descending }));
        }
        query.sorts = Sorts::new(keys).unwrap_or_default().with_fields(directory.fields());
        violations.into_result().map(|()| query)
    }
}

/// The field with this key, if contacts can be filtered and sorted by it.
fn filterable<'a>(directory: &'a Directory, key: &str) -> Result<&'a Field, Problem> {
    let field = directory.find(key).ok_or_else(|| Problem::new("is not a known field"))?;
    match field.filterable {
        Filterable::Yes => Ok(field),
        Filterable::Building => Err(Problem::new(
            "is a field that is being made filterable: repeat the call when its `filterable` is `yes`",
        )),
        Filterable::No => Err(Problem::new(format!(
            "is a field that is not filterable: set its `filterable` to true with PATCH /fields/{}",
            field.id
        ))),
    }
}
