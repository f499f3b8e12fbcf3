//! Pages in the order of the values of a field: first the contacts that have one, along the index of the values, then
//! the others.

use contact_hub_domain::contacts::{Place, Sort, SortKey, Sorts};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::page::PageRequest;

use super::behind::{Naming, behind_from, beyond, bind};
use super::conditions::Conditions;
use super::order::{direction, keys_from, order_from};
use super::own_values::LookUp as _;
use super::page_rows::rows_of;
use super::rows::ContactRow;
use super::walk::bound;
use crate::connection::Connection;
use crate::dialect::{along, looked_up, unindexed};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql, statement};

/// A list whose first sort key is a field.
pub(super) struct ByValue<'a> {
    company: CompanyId,
    field: FieldId,
    descending: bool,
    sorts: &'a [Sort],
    conditions: &'a Conditions,
}

impl<'a> ByValue<'a> {
    /// `None` if the first sort key is an attribute.
    pub(super) fn of(
        company: CompanyId,
        sorts: &'a [Sort],
        conditions: &'a Conditions,
    ) -> Option<Self> {
        let Sort { key: SortKey::Field(field), descending } = *sorts.first()? else { return None };
        Some(Self { company, field, descending, sorts, conditions })
    }

    /// A page of this many matches.
    pub(super) fn page(
        &self,
        connection: &mut Connection,
        page: PageRequest,
        matches: u64,
    ) -> Result<Vec<ContactRow>, Failure> {
        let (offset, limit) = (page.offset(), u64::from(page.size()));
        let with = self.with_value(connection, limit, offset, None);
        let with = self.rows_of(connection, with);
        let mut rows: Vec<ContactRow> = connection.rows(with)?;
        let found = u64::try_from(rows.len()).unwrap_or(limit);
        if found == limit || offset.saturating_add(found) >= matches {
            return Ok(rows);
        }
        let skipped =
            if found > 0 { 0 } else { offset.saturating_sub(self.number_with_value(connection)?) };
        let without = self.without_value(limit - found, skipped, None);
        let without = self.rows_of(connection, without);
        rows.extend(connection.rows::<ContactRow>(without)?);
        Ok(rows)
    }

    fn rows_of(&self, connection: &Connection, page: Statement) -> Statement {
        rows_of(connection, self.conditions, self.sorts, page)
    }

    /// The ids and sort keys of those that have a value, after a place among them.
    pub(super) fn with_value(
        &self,
        connection: &Connection,
        limit: u64,
        offset: u64,
        after: Option<(&Sorts, &Place)>,
    ) -> Statement {
        let behind = after.map(|(sorts, place)| self.behind_value(sorts, place));
        let by_value = direction(self.descending, false);
        let page = if self.sorts.len() > 1 {
            sql!(
                "SELECT contacts.id, walked.sort_key AS value_0, {} FROM {}{} \
                 ORDER BY walked.sort_key {}, {} LIMIT ? OFFSET ?",
                keys_from(1, self.conditions.own_values(), self.sorts),
                self.matches_with_value(connection),
                behind,
                by_value,
                order_from(1, self.sorts, false, "contacts."),
            )
        } else {
            sql!(
                "SELECT walked.contact_id AS id, walked.sort_key AS value_0 FROM {}{} \
                 ORDER BY walked.sort_key {}, walked.contact_id {} LIMIT ? OFFSET ?",
                self.matches_with_value(connection),
                behind,
                by_value,
                by_value,
            )
        };
        page.bind(bound(limit)).bind(bound(offset))
    }

    /// That a contact with a value follows a place that has one.
    fn behind_value(&self, sorts: &Sorts, place: &Place) -> Statement {
        let Some(value) = place.keys.first() else { return statement("") };
        let beyond = beyond(self.descending);
        if self.sorts.len() == 1 {
            let pair = sql!(" AND (walked.sort_key, walked.contact_id) {} (?, ?)", beyond);
            return bind(pair, value).bind(place.id);
        }
        let begin = bind(sql!(" AND walked.sort_key {}= ?", beyond), value);
        let further = bind(sql!("walked.sort_key {} ?", beyond), value);
        let rest = behind_from(1, sorts, place, Naming::Contact(self.conditions.own_values()));
        sql!("{} AND ({} OR {})", begin, further, rest)
    }

    /// The matches that have a value, as they follow FROM. Only active contacts have indexed values, so without conditions
    /// and other sort keys no contact is read.
    fn matches_with_value(&self, connection: &Connection) -> Statement {
        let is_alone = self.conditions.is_empty() && self.sorts.len() == 1;
        let contacts = (!is_alone).then(|| {
            let own = "contacts.company_id = ? AND contacts.id = walked.contact_id";
            let own = sql!("{}{}", unindexed(connection), own).bind(self.company);
            sql!(" {}", looked_up(connection, "contacts", own))
        });
        let matches = sql!(
            "indexed_values AS walked{}{} WHERE walked.company_id = ? AND walked.field_id = ?{}",
            along(connection, "indexed_values_by_key"),
            contacts,
            (!is_alone).then(|| sql!(" AND {}", self.conditions.of_looked_up(connection))),
        );
        matches.bind(self.company).bind(self.field)
    }

    pub(super) fn number_with_value(&self, connection: &mut Connection) -> Result<u64, Failure> {
        let counted = sql!("SELECT count(*) AS total FROM {}", self.matches_with_value(connection));
        Ok(u64::try_from(total(connection, counted.uncached())?).unwrap_or_default())
    }

    /// The ids and sort keys of those that have none, after a place among them.
    pub(super) fn without_value(
        &self,
        limit: u64,
        offset: u64,
        after: Option<(&Sorts, &Place)>,
    ) -> Statement {
        let own = self.conditions.own_values();
        let naming = Naming::Contact(own);
        let behind =
            after.map(|(sorts, place)| sql!(" AND {}", behind_from(1, sorts, place, naming)));
        // The first key of all of them is known.
        let others = (self.sorts.len() > 1).then(|| sql!(", {}", keys_from(1, own, self.sorts)));
        let page = sql!(
            "SELECT id, CAST(NULL AS bytea) AS value_0{} FROM contacts WHERE {} AND NOT EXISTS {}{} ORDER BY {} LIMIT ? OFFSET ?",
            others,
            self.conditions.all(),
            own.select("1", self.field, ""),
            behind,
            order_from(1, self.sorts, false, ""),
        );
        page.bind(bound(limit)).bind(bound(offset))
    }
}
