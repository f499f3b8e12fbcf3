//! Pages far from both ends of a list with conditions on the values of fields, in the order of an attribute, on PostgreSQL.
//!
//! A walk along the order looks up the values of each contact before the page. In place of that, the matches before a contact
//! near the page are counted, by a join or by their entries alone, and the walk begins at this contact.

use contact_hub_domain::contacts::Sort;

use super::matches::Matches;
use super::order::{column, order};
use super::skipped::walked;
use super::value_entries::Entries;
use super::value_total::Counted;
use super::walk::bound;
use super::ways::{Ways, allow};
use super::window::{Beside, PATIENCE, Window};
use crate::columns::{IdRow, IdValue};
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// How many contacts near the page may be tried. Each count may take as long as looking up the values before
/// the page.
const ATTEMPTS: usize = 2;

/// If the matches are fewer than the contacts before the page, divided by this, sorting them takes less than counting.
const SORTED: u64 = 8;

/// Counting may read at most this many entries for each contact before the page. A look-up took 2.4 to 6 microseconds, and an
/// entry 0.4 to 0.6, among a million contacts in memory.
const LOOK_UP: u64 = 4;

/// The walk is expected to read at most the number of contacts before the page, divided by this.
const PART_WALKED: u64 = 4;

/// At most the number of contacts before the page, divided by this, may have the same first sort key if other keys follow:
/// a walk reads all of them.
const PART_EQUAL: u64 = 16;

/// The part of a list that is walked along.
pub(super) struct Nearby {
    /// The condition of the contacts in it, after AND.
    pub(super) condition: Statement,
    /// The page among the matches in it.
    pub(super) window: Window,
    /// How many contacts are worth reading.
    pub(super) most: u64,
}

/// The first sort key, in the direction in which the page is counted.
struct FirstKey {
    sort: Sort,
    column: &'static str,
    is_only: bool,
    descends: bool,
}

impl FirstKey {
    /// That a row, with its key and its id, precedes a contact, or else that it follows it or is the same. If other keys
    /// follow, contacts with an equal key do not precede it.
    fn precedes(&self, precedes: bool, row: [&'static str; 2], contact: &At) -> Statement {
        let than = match (precedes, self.descends) {
            (true, false) => "<",
            (true, true) => ">",
            (false, false) => ">=",
            (false, true) => "<=",
        };
        let [key, id] = row;
        if self.is_only {
            sql!("({}, {}) {} ({}, ?)", key, id, than, &contact.key).bind(contact.id)
        } else {
            sql!("{} {} {}", key, than, &contact.key)
        }
    }
}

/// A contact at which a walk may begin.
struct At {
    id: IdValue,
    /// Its first sort key.
    key: Statement,
}

/// A position in a list: how many contacts precede it, or a few more if other keys follow, and how many matches.
struct Position {
    contacts: u64,
    matches: u64,
}

/// Two positions between which the page is.
struct Between {
    from: Position,
    to: Position,
}

impl Between {
    /// How many contacts are expected before the match that this many precede.
    const fn contacts_before(&self, matches: u64) -> u64 {
        let contacts = self.to.contacts.saturating_sub(self.from.contacts);
        let among = self.to.matches.saturating_sub(self.from.matches);
        let further = matches.saturating_sub(self.from.matches).saturating_mul(contacts);
        self.from.contacts + further / if among == 0 { 1 } else { among }
    }
}

impl Matches<'_> {
    /// The page, if it is far from both ends.
    pub(super) fn far_page(
        &self,
        connection: &mut Connection,
        window: &Window,
        counted: Counted,
    ) -> Result<Option<Vec<ContactRow>>, Failure> {
        let Some(nearby) = self.nearby(connection, window, counted)? else { return Ok(None) };
        self.walk_to(connection, &nearby.window, nearby.most, Some(nearby.condition))
    }

    /// Where a walk to a page of this many matches begins. `None` if
    /// - walking from the nearer end, or sorting the matches, takes less,
    /// - the first sort key is not an attribute,
    /// - a condition is not on the value of a field,
    /// - the matches are spread too unevenly, or too many contacts have the same key.
    pub(super) fn nearby(
        &self,
        connection: &mut Connection,
        window: &Window,
        Counted { matches, of }: Counted,
    ) -> Result<Option<Nearby>, Failure> {
        let Some(first) = self.first_key(window) else { return Ok(None) };
        let (from, to) = (Position { contacts: 0, matches: 0 }, Position { contacts: of, matches });
        let mut between = Between { from, to };
        let before = between.contacts_before(window.offset);
        let Some(entries) = self.worth_counting(connection, before, matches)? else {
            return Ok(None);
        };
        let (mut wanted, worth) = (window.offset, before / PART_WALKED);
        for _attempt in 0..ATTEMPTS {
            let contacts = between.contacts_before(wanted);
            let Some(at) = self.contact_at(connection, &first, window, contacts)? else {
                return Ok(None);
            };
            let counted = self.matches_before(connection, &first, &at, (contacts, &entries))?;
            let position = Position { contacts, matches: counted };
            let (precedes, part, walk) = match window.beside(counted) {
                Beside::After(part) => {
                    between.from = position;
                    (false, part, between.contacts_before(window.end()).saturating_sub(contacts))
                }
                Beside::Before(part) => {
                    between.to = position;
                    (true, part, contacts.saturating_sub(between.contacts_before(window.offset)))
                }
                Beside::OnBothSides => {
                    between.to = position;
                    wanted = window.offset.saturating_sub(2 * window.limit);
                    continue;
                }
            };
            if walk <= worth {
                let condition = first.precedes(precedes, [first.column, "id"], &at);
                // Far pages are rare: their statements are not worth keeping.
                let condition = sql!(" AND {}", condition).uncached();
                let most = walk.saturating_mul(PATIENCE).max(self.limits.walk).min(of);
                return Ok(Some(Nearby { condition, window: part, most }));
            }
        }
        Ok(None)
    }

    /// The entries of the conditions, if counting the matches before a page takes less than looking up the values of the
    /// contacts before it, or sorting all matches.
    fn worth_counting(
        &self,
        connection: &mut Connection,
        before: u64,
        matches: u64,
    ) -> Result<Option<Vec<Entries>>, Failure> {
        if before.min(matches) <= self.limits.few || before / SORTED > matches {
            return Ok(None);
        }
        let entries = self.conditions.entries(connection)?;
        let read: u64 = entries.iter().map(|it| it.number).sum();
        Ok((read / LOOK_UP <= before).then_some(entries))
    }

    fn first_key(&self, window: &Window) -> Option<FirstKey> {
        if !self.conditions.are_on_values() {
            return None;
        }
        let (sort, rest) = self.query.sorts.keys().split_first()?;
        Some(FirstKey {
            sort: *sort,
            column: column(sort.key)?,
            is_only: rest.is_empty(),
            descends: sort.descending != window.from_the_end,
        })
    }

    /// The number of matches before a contact, which about this many contacts precede.
    fn matches_before(
        &self,
        connection: &mut Connection,
        first: &FirstKey,
        at: &At,
        (contacts, entries): (u64, &[Entries]),
    ) -> Result<u64, Failure> {
        let is_known = self.conditions.hits_by_value(self.query.sorts.keys()).is_some();
        let value = self.conditions.values().next().filter(|_| is_known);
        let counted = if let Some(value) = value {
            let own = first.precedes(true, ["contact_created_at", "contact_id"], at);
            let count = sql!("SELECT count(*) AS total FROM {} AND {}", &value.rows, own);
            u64::try_from(total(connection, count.uncached())?).unwrap_or_default()
        } else {
            let preceding = sql!(
                "SELECT id FROM contacts WHERE {} AND {} ORDER BY {} OFFSET 0",
                self.conditions.scope(),
                first.precedes(true, [first.column, "id"], at),
                first.column,
            );
            let entries: Vec<&Entries> = entries.iter().collect();
            self.conditions.counted_among(connection, preceding, contacts, &entries)?
        };
        allow(connection, Ways::Indexes)?;
        Ok(counted)
    }

    /// The contact that this many precede; `None` if too many others have its first sort key, and further keys follow.
    fn contact_at(
        &self,
        connection: &mut Connection,
        first: &FirstKey,
        window: &Window,
        contacts: u64,
    ) -> Result<Option<At>, Failure> {
        let (scope, sorts) = (self.conditions.scope().clone(), [first.sort]);
        let at = Window { limit: 1, offset: contacts, ..*window };
        let at = walked(connection, self.company, &sorts, scope, at, self.limits.far)?;
        allow(connection, Ways::Indexes)?;
        let contact = sql!(
            "SELECT id FROM contacts WHERE {} ORDER BY {} LIMIT 1 OFFSET ?",
            at.scope,
            order(&sorts, window.from_the_end, ""),
        );
        let contact = contact.bind(bound(at.window.offset)).uncached();
        let contact: Option<IdRow> = connection.first(contact)?;
        let Some(IdRow { id }) = contact else { return Ok(None) };
        let key = sql!("(SELECT {} FROM contacts WHERE company_id = ? AND id = ?)", first.column);
        let key = key.bind(self.company).bind(id);
        if !first.is_only && self.have_many(connection, first.column, &key, contacts)? {
            return Ok(None);
        }
        Ok(Some(At { id, key }))
    }

    /// Whether more contacts have this first sort key than a walk should read for a page that `before` contacts precede.
    fn have_many(
        &self,
        connection: &mut Connection,
        column: &'static str,
        key: &Statement,
        before: u64,
    ) -> Result<bool, Failure> {
        let most = before / PART_EQUAL;
        let equal = sql!(
            "SELECT count(*) AS total FROM (SELECT 1 FROM contacts WHERE {} AND {} = {} ORDER BY {}, id LIMIT ?) AS bounded",
            self.conditions.scope(),
            column,
            key,
            column,
        );
        let equal = equal.bind(bound(most.saturating_add(1))).uncached();
        Ok(total(connection, equal)? > bound(most))
    }
}
