//! The conditions of a list.

use std::collections::{BTreeMap, BTreeSet};

use contact_hub_domain::contacts::{
    Condition, Folded, ListQuery, MIN_SUBSTRING, SearchTerm, TextAttribute, TextTest, ValueTest,
};
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::column_tests::{
    begins_with, moment_column, moment_test, occurs_in_search_text, text_column, text_test,
};
use super::domains::Places;
use super::kinds::Kinds;
use super::own_values::OwnValues;
use super::prepared::is_prepared;
use super::ranges::{
    COLUMNS_WITH_TEXTS, Range, WITH_TEXTS, index_by, left_out_by_moment, left_out_by_text,
};
use super::value_conditions::{Having, WithValue, WithoutValue, of_value};
use super::value_total::ValueTotal;
use crate::connection::Connection;
use crate::contacts::unlist::is_active;
use crate::statement::{Statement, joined, sql, statement};

/// The conditions that a contact must meet: it is the company's, active, and matches the query.
pub(super) struct Conditions {
    scope: Statement,
    tests: Vec<Statement>,
    alternatives: Vec<Alternatives>,
    columns: BTreeSet<&'static str>,
    /// The texts that occur in the searched ones.
    substrings: Vec<Substring>,
    /// Whether the query has one condition or one term alone.
    is_one: bool,
    /// The conditions that a field has a certain value.
    values: Vec<WithValue>,
    /// The conditions that a field has no value.
    lacking: Vec<WithoutValue>,
    /// The tests of values by their places among the tests, for statements that may use only bitmaps.
    by_bitmaps: BTreeMap<usize, Statement>,
    /// How the matches are counted without reading them, if they are.
    value_total: Option<ValueTotal>,
    /// The ranges in which are the contacts that the last condition leaves out, if they are ranges.
    left_out: Vec<Range>,
    /// Whether the statements of the list are prepared once for each connection.
    is_prepared: bool,
    company: CompanyId,
    own_values: OwnValues,
    /// The types of the fields of the query.
    kinds: Kinds,
}

/// The column with all searched texts.
const SEARCHED: &str = "search_text";

/// A condition that is one of some ranges of indexes: each match is in at least one of them.
pub(super) struct Alternatives {
    /// The place of the condition among the tests.
    test: usize,
    pub(super) ranges: Vec<Range>,
}

/// A text that occurs in the searched ones.
pub(super) struct Substring {
    pub(super) text: Folded,
    /// Whether it may be in an email, and not in a name alone.
    pub(super) is_in_emails: bool,
    /// Where PostgreSQL finds it, once it was looked up.
    pub(super) places: Option<Places>,
}

impl Conditions {
    /// The fields of the query have these types.
    pub(super) fn of(
        connection: &Connection,
        company: CompanyId,
        query: &ListQuery,
        kinds: &Kinds,
    ) -> Self {
        let company_alone = statement("contacts.company_id = ?").bind(company);
        let mut conditions = Self {
            scope: sql!("{} AND {}", company_alone, is_active(connection, company)),
            tests: Vec::new(),
            alternatives: Vec::new(),
            columns: BTreeSet::new(),
            substrings: Vec::new(),
            is_one: query.search.terms().len() + query.conditions.len() == 1,
            values: Vec::new(),
            lacking: Vec::new(),
            by_bitmaps: BTreeMap::new(),
            value_total: ValueTotal::of(query, kinds),
            left_out: Vec::new(),
            is_prepared: is_prepared(query),
            company,
            own_values: OwnValues::of(connection, company),
            kinds: kinds.clone(),
        };
        conditions.and_terms(connection, query);
        for condition in &query.conditions {
            match condition {
                Condition::Text { attribute, test } => {
                    conditions.and_text(connection, *attribute, test);
                }
                Condition::Moment { attribute, test } => {
                    let column = moment_column(*attribute);
                    conditions.left_out = left_out_by_moment(column, *test);
                    conditions.and_range(column, moment_test(column, *test));
                }
                Condition::Value { field, test } => {
                    conditions.and_value(connection, *field, test);
                }
            }
        }
        conditions
    }

    /// Whether every active contact of the company matches.
    pub(super) const fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// A statement of the list: it is prepared at each run unless the list is one of few.
    pub(super) fn of_list(&self, statement: Statement) -> Statement {
        if self.is_prepared { statement } else { statement.uncached() }
    }

    /// That a contact is the company's and active.
    pub(super) const fn scope(&self) -> &Statement {
        &self.scope
    }

    /// What the query asks for.
    pub(super) fn tests(&self) -> Statement {
        joined(&self.tests, " AND ")
    }

    /// All of them, for WHERE.
    pub(super) fn all(&self) -> Statement {
        joined(std::iter::once(&self.scope).chain(&self.tests), " AND ")
    }

    /// All of them, in a statement of PostgreSQL that may use indexes only as sets of rows.
    pub(super) fn all_by_bitmaps(&self) -> Statement {
        let tests = self.tests.iter().enumerate();
        let tests = tests.map(|(place, test)| self.by_bitmaps.get(&place).unwrap_or(test));
        joined(std::iter::once(&self.scope).chain(tests), " AND ")
    }

    /// All of them but those on values of fields.
    pub(super) fn all_but_values(&self) -> Statement {
        let tests = self.tests.iter().enumerate();
        let tests = tests.filter(|(place, _)| !self.by_bitmaps.contains_key(place));
        joined(std::iter::once(&self.scope).chain(tests.map(|(_, test)| test)), " AND ")
    }

    /// All of them but the company, for contacts that a join looks up by their ids: by the company, SQLite would read a range of
    /// one of its indexes for each of them instead. Some values were tested before.
    pub(super) fn of_looked_up(&self, connection: &Connection, tested: &[&WithValue]) -> Statement {
        let active = is_active(connection, self.company);
        let is_left = |place: usize| tested.iter().all(|it| it.test != place);
        let tests = self.tests.iter().enumerate().filter(|(place, _)| is_left(*place));
        joined(std::iter::once(&active).chain(tests.map(|(_, test)| test)), " AND ")
    }

    /// The types of the fields of the query.
    pub(super) const fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// How many conditions there are.
    pub(super) const fn number(&self) -> usize {
        self.tests.len()
    }

    /// Whether the only condition is one range of an index.
    pub(super) fn is_one_range(&self) -> bool {
        let of_values = self.values.iter().filter(|it| it.is_range).count();
        let of_columns = self.alternatives.iter().filter(|it| it.ranges.len() == 1).count();
        self.tests.len() == 1 && of_values + of_columns == 1
    }

    /// Whether the only condition is that any of the searched texts begins with a text.
    pub(super) fn is_one_beginning(&self) -> bool {
        self.only_ranges().len() > 1
    }

    /// All of them, with a range in place of its alternatives.
    pub(super) fn all_in(&self, alternatives: &Alternatives, range: &Range) -> Statement {
        let others = self.tests.iter().enumerate().filter(|(place, _)| *place != alternatives.test);
        let others = others.map(|(_, test)| test);
        joined([&self.scope, &range.condition].into_iter().chain(others), " AND ")
    }

    /// The conditions that are ranges of indexes.
    pub(super) fn alternatives(&self) -> &[Alternatives] {
        &self.alternatives
    }

    /// The ranges of a column in which all matches are, each after AND.
    pub(super) fn ranges_of(&self, column: &'static str) -> Statement {
        let ranges = self.alternatives.iter().filter_map(|it| match it.ranges.as_slice() {
            [range] if range.column == column => Some(sql!(" AND {}", &range.condition)),
            _ => None,
        });
        joined(ranges, "")
    }

    /// Whether the only condition is one range of this column.
    pub(super) fn is_range_of(&self, column: &'static str) -> bool {
        matches!(self.only_ranges(), [range] if range.column == column)
    }

    /// The ranges of indexes that are the only condition: each match is in at least one of them.
    pub(super) fn only_ranges(&self) -> &[Range] {
        match self.alternatives.as_slice() {
            [only] if self.tests.len() == 1 => &only.ranges,
            _ => &[],
        }
    }

    /// The index of SQLite that has what is tested of a contact, if there is one: that of the only tested column, or
    /// the one that has all searched texts. What that one does not have is tested only on contacts that have the texts.
    pub(super) fn index_of_tested(&self) -> Option<&'static str> {
        let is_there = |column: &&str| COLUMNS_WITH_TEXTS.contains(column);
        match self.columns.iter().copied().collect::<Vec<_>>().as_slice() {
            [only] if !self.has_values() && !self.has_substrings() => Some(index_by(only)),
            tested
                if self.has_substrings() || (!tested.is_empty() && tested.iter().all(is_there)) =>
            {
                Some(WITH_TEXTS)
            }
            _ => None,
        }
    }

    /// Whether the query has only conditions on substrings, such that nearly all contacts that the index of substrings
    /// finds match.
    pub(super) fn are_substrings(&self) -> bool {
        let are_terms = !self.has_columns() && !self.has_values();
        self.has_substrings() && (are_terms || self.is_one)
    }

    /// The ranges of an index in which are the contacts that the only condition leaves out, if they are ranges; none is in
    /// two.
    pub(super) fn left_out(&self) -> &[Range] {
        if self.tests.len() == 1 { &self.left_out } else { &[] }
    }

    /// The same of the only condition that is not on a value, if there are others.
    pub(super) fn left_out_beside_values(&self) -> &[Range] {
        let on_values = self.values.len() + self.lacking.len();
        if on_values > 0 && self.tests.len() == on_values + 1 { &self.left_out } else { &[] }
    }

    /// The company whose contacts are looked for.
    pub(super) const fn company(&self) -> CompanyId {
        self.company
    }

    /// The values of a contact, as they are looked up.
    pub(super) const fn own_values(&self) -> OwnValues {
        self.own_values
    }

    /// The columns that the query tests.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> {
        let searched = self.has_substrings().then_some(SEARCHED);
        self.columns.iter().copied().chain(searched)
    }

    /// The conditions that a field has a certain value, ranges first.
    pub(super) fn values(&self) -> impl Iterator<Item = &WithValue> {
        let ranges = self.values.iter().filter(|it| it.is_range);
        ranges.chain(self.values.iter().filter(|it| !it.is_range))
    }

    /// How the matches are counted by the kept counts of values, if they are.
    pub(super) const fn value_total(&self) -> Option<&ValueTotal> {
        self.value_total.as_ref()
    }

    /// The tests other than that of a value.
    pub(super) fn tests_besides(&self, value: &WithValue) -> impl Iterator<Item = &Statement> {
        let (tests, own) = (self.tests.iter().enumerate(), value.test);
        tests.filter(move |(place, _)| *place != own).map(|(_, test)| test)
    }

    /// All of them for contacts that were found by a value.
    pub(super) fn all_besides(&self, value: &WithValue) -> Statement {
        joined(std::iter::once(&self.scope).chain(self.tests_besides(value)), " AND ")
    }

    /// Whether the value of a field is tested, or that there is none.
    pub(super) const fn has_values(&self) -> bool {
        !self.values.is_empty() || !self.lacking.is_empty()
    }

    /// The conditions that a field has no value.
    pub(super) fn lacking(&self) -> &[WithoutValue] {
        &self.lacking
    }

    /// The test at this place.
    pub(super) fn test(&self, place: usize) -> Option<&Statement> {
        self.tests.get(place)
    }

    /// Whether a column of contacts is tested.
    pub(super) fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Whether the index of substrings can find the matches.
    pub(super) const fn has_substrings(&self) -> bool {
        !self.substrings.is_empty()
    }

    /// The texts that occur in the searched ones.
    pub(super) fn substrings_mut(&mut self) -> impl Iterator<Item = &mut Substring> {
        self.substrings.iter_mut()
    }

    /// Where these are found, once they were looked up.
    pub(super) fn places(&self) -> impl Iterator<Item = &Places> {
        self.substrings.iter().filter_map(|it| it.places.as_ref())
    }

    /// Whether the query has one condition or one term alone.
    pub(super) const fn is_one(&self) -> bool {
        self.is_one
    }

    fn and_terms(&mut self, connection: &Connection, query: &ListQuery) {
        for term in query.search.terms() {
            match term {
                SearchTerm::Within(part) => self.and_within(connection, part, true),
                SearchTerm::Beginning(prefix) => self.and_beginning(prefix),
            }
        }
    }

    fn and_text(&mut self, connection: &Connection, attribute: TextAttribute, test: &TextTest) {
        let column = text_column(attribute);
        let condition = text_test(column, test);
        self.left_out = left_out_by_text(column, test);
        match test {
            TextTest::NotEqual(_) | TextTest::NotContains(_) => self.and_on(column, condition),
            TextTest::Contains(part) => {
                self.and_on(column, condition);
                // A shorter text has no trigram.
                if part.as_str().chars().count() >= MIN_SUBSTRING {
                    self.and_within(connection, part, attribute == TextAttribute::Email);
                }
            }
            _ => self.and_range(column, condition),
        }
    }

    fn and_within(&mut self, connection: &Connection, part: &Folded, is_in_emails: bool) {
        let substring = Substring { text: part.clone(), is_in_emails, places: None };
        self.substrings.push(substring);
        self.tests.push(occurs_in_search_text(connection, part.as_str()));
    }

    fn and_beginning(&mut self, prefix: &Folded) {
        let searched = [TextAttribute::Email, TextAttribute::FirstName, TextAttribute::LastName];
        let ranges = searched.map(|attribute| {
            let column = text_column(attribute);
            Range { column, condition: begins_with(column, prefix) }
        });
        self.columns.extend(ranges.iter().map(|range| range.column));
        let test = sql!("({})", joined(ranges.iter().map(|range| &range.condition), " OR "));
        self.alternatives.push(Alternatives { test: self.tests.len(), ranges: ranges.into() });
        self.tests.push(test);
    }

    fn and_range(&mut self, column: &'static str, condition: Statement) {
        let ranges = vec![Range { column, condition: condition.clone() }];
        self.alternatives.push(Alternatives { test: self.tests.len(), ranges });
        self.and_on(column, condition);
    }

    fn and_value(&mut self, connection: &Connection, field: FieldId, test: &ValueTest) {
        let (place, kind) = (self.tests.len(), self.kinds.get(&field).copied());
        let condition = of_value(connection, self.company, (field, kind), test, place);
        self.tests.push(condition.test);
        self.by_bitmaps.insert(place, condition.test_by_bitmaps);
        match condition.having {
            Having::Value(value) => self.values.push(value),
            Having::None(lacking) => self.lacking.push(lacking),
        }
    }

    fn and_on(&mut self, column: &'static str, condition: Statement) {
        self.columns.insert(column);
        self.tests.push(condition);
    }
}
