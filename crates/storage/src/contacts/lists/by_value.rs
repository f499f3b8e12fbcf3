//! Lists in the order of the values of a field: first the contacts that have one, along the index of the values, then the
//! others.

use contact_hub_domain::contacts::{ListQuery, Place, Sort, SortKey, Sorts};
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::behind::{Naming, behind_from, beyond, bind};
use super::conditions::Conditions;
use super::limits::ListLimits;
use super::order::{direction, keys_from, order_from};
use super::own_values::LookUp as _;
use super::value_conditions::WithValue;
use super::walk::bound;
use super::window::Window;
use crate::connection::Connection;
use crate::contacts::indexed::of_field;
use crate::dialect::{along, looked_up, unindexed};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, joined, sql, statement};

/// A list whose first sort key is a field.
pub(super) struct ByValue<'a> {
    pub(super) company: CompanyId,
    pub(super) field: FieldId,
    descending: bool,
    pub(super) query: &'a ListQuery,
    pub(super) sorts: &'a [Sort],
    pub(super) conditions: &'a Conditions,
    pub(super) limits: ListLimits,
    /// The conditions on the values of the field itself.
    own: Vec<&'a WithValue>,
    /// Whether the order is reversed.
    pub(super) turned: bool,
}

/// A range of the keys of the values, in the direction of the order.
#[derive(Default)]
pub(super) struct Keys {
    /// Where it begins, and whether with the next key.
    pub(super) from: Option<(Vec<u8>, bool)>,
    /// The key before which it ends.
    pub(super) before: Option<Vec<u8>>,
}

impl<'a> ByValue<'a> {
    /// `None` if the first sort key is an attribute.
    pub(super) fn of(
        company: CompanyId,
        query: &'a ListQuery,
        conditions: &'a Conditions,
        limits: ListLimits,
    ) -> Option<Self> {
        let sorts = query.sorts.keys();
        let Sort { key: SortKey::Field(field), descending } = *sorts.first()? else { return None };
        let own = conditions.values().filter(|it| it.field == field).collect();
        Some(Self {
            company,
            field,
            descending,
            query,
            sorts,
            conditions,
            limits,
            own,
            turned: false,
        })
    }

    /// The same list, in the reversed order if it is turned.
    pub(super) fn turned(&self, turned: bool) -> Self {
        Self { own: self.own.clone(), turned, ..*self }
    }

    /// Whether the matches are ranges of the walked values.
    pub(super) fn is_of_own_ranges(&self) -> bool {
        let are_ranges = !self.own.is_empty() && self.own.iter().all(|it| it.is_range);
        are_ranges && self.own.len() == self.conditions.number()
    }

    /// Whether contacts that have a value may match.
    pub(super) fn may_have_value(&self) -> bool {
        self.conditions.lacking().iter().all(|it| it.field != self.field)
    }

    /// Whether contacts that have none may match.
    pub(super) const fn may_lack_value(&self) -> bool {
        self.own.is_empty()
    }

    /// The ids and sort keys of those that have a value in a range, after a place among them.
    pub(super) fn with_value(
        &self,
        connection: &Connection,
        keys: &Keys,
        window: &Window,
        after: Option<&Place>,
    ) -> Statement {
        let behind = after.map(|place| self.behind_value(&self.query.sorts, place));
        let within = self.within(keys);
        let by_value = self.direction();
        let page = if self.sorts.len() > 1 {
            sql!(
                "SELECT contacts.id, walked.sort_key AS value_0, {} FROM {}{}{} \
                 ORDER BY walked.sort_key {}, {} LIMIT ? OFFSET ?",
                keys_from(1, self.conditions.own_values(), self.sorts),
                self.matches_with_value(connection),
                within,
                behind,
                by_value,
                order_from(1, self.sorts, self.turned, "contacts."),
            )
        } else {
            sql!(
                "SELECT walked.contact_id AS id, walked.sort_key AS value_0 FROM {}{}{} \
                 ORDER BY walked.sort_key {}, walked.contact_id {} LIMIT ? OFFSET ?",
                self.matches_with_value(connection),
                within,
                behind,
                by_value,
                by_value,
            )
        };
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }

    /// That a walked value is in a range.
    pub(super) fn within(&self, keys: &Keys) -> Statement {
        let descends = self.descends();
        let from = keys.from.as_ref().map(|(key, is_behind)| {
            let equal = (!is_behind).then_some("=");
            sql!(" AND walked.sort_key {}{} ?", beyond(descends), equal).bind(key.as_slice())
        });
        let before = keys
            .before
            .as_ref()
            .map(|key| sql!(" AND walked.sort_key {} ?", beyond(!descends)).bind(key.as_slice()));
        sql!("{}{}", from, before)
    }

    /// The direction in which the values are read.
    pub(super) const fn direction(&self) -> &'static str {
        direction(self.descending, self.turned)
    }

    /// Whether the higher values are read first.
    pub(super) const fn descends(&self) -> bool {
        self.descending != self.turned
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

    /// The matches that have a value, as they follow FROM. Only active contacts have indexed values, so without other conditions
    /// and sort keys no contact is read. Those on the field itself are tested on the walked values: they limit the walk.
    fn matches_with_value(&self, connection: &Connection) -> Statement {
        self.walked_matches(connection, self.sorts.len() > 1)
    }

    /// The same without the contacts, if these are not needed for conditions.
    pub(super) fn values_of_matches(&self, connection: &Connection) -> Statement {
        self.walked_matches(connection, false)
    }

    fn walked_matches(&self, connection: &Connection, needs_contacts: bool) -> Statement {
        let are_own = self.conditions.number() == self.own.len();
        let is_alone = are_own && !needs_contacts;
        let contacts = (!is_alone).then(|| {
            let own = "contacts.company_id = ? AND contacts.id = walked.contact_id";
            let own = sql!("{}{}", unindexed(connection), own).bind(self.company);
            sql!(" {}", looked_up(connection, "contacts", own))
        });
        sql!(
            "indexed_values AS walked{}{} WHERE {}{}",
            along(connection, "indexed_values_by_key"),
            contacts,
            self.walked_values(connection),
            (!is_alone)
                .then(|| sql!(" AND {}", self.conditions.of_looked_up(connection, &self.own))),
        )
    }

    /// That a value is one of the field, and passes the conditions on it.
    pub(super) fn walked_values(&self, connection: &Connection) -> Statement {
        let passes = joined(self.own.iter().map(|it| &it.passes), "");
        sql!("{}{}", of_field(connection, "walked.", self.company, self.field), passes)
    }

    pub(super) fn number_with_value(&self, connection: &mut Connection) -> Result<u64, Failure> {
        let counted = sql!("SELECT count(*) AS total FROM {}", self.values_of_matches(connection));
        Ok(u64::try_from(total(connection, counted.uncached())?).unwrap_or_default())
    }

    /// The ids and sort keys of those that have none, after a place among them.
    pub(super) fn without_value(&self, window: &Window, after: Option<&Place>) -> Statement {
        let own = self.conditions.own_values();
        let naming = Naming::Contact(own);
        let sorts = &self.query.sorts;
        let behind = after.map(|place| sql!(" AND {}", behind_from(1, sorts, place, naming)));
        // The first key of all of them is known.
        let others = (self.sorts.len() > 1).then(|| sql!(", {}", keys_from(1, own, self.sorts)));
        let page = sql!(
            "SELECT id, CAST(NULL AS bytea) AS value_0{} FROM contacts WHERE {} AND NOT EXISTS {}{} ORDER BY {} LIMIT ? OFFSET ?",
            others,
            self.conditions.all(),
            own.select("1", self.field, ""),
            behind,
            order_from(1, self.sorts, self.turned, ""),
        );
        page.bind(bound(window.limit)).bind(bound(window.offset))
    }
}
