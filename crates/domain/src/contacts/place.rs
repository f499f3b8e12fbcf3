//! Places in the order of a list. A place stays valid regardless of concurrent writes, because it has the values that
//! the order compares, and not an offset.

use std::cmp::Ordering;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Contact, Folded, ListQuery, SortKey, Sorts};
use crate::fields::FieldValue;
use crate::ids::ContactId;
use crate::time::Timestamp;
use crate::violations::Problem;

/// How many bytes of a cursor bind it to its query.
const SEAL: usize = 8;

/// What a sort key compares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyValue {
    /// A text, by its bytes.
    Text(Folded),
    /// A moment.
    Moment(Timestamp),
    /// The key of a value, or none.
    Value(Option<Vec<u8>>),
}

/// The place of a contact: the values of the sort keys, and then its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// One value for each key of the order.
    pub keys: Vec<KeyValue>,
    /// The id, which breaks ties.
    pub id: ContactId,
}

impl Sorts {
    fn value_of(&self, key: SortKey, contact: &Contact) -> KeyValue {
        match key {
            SortKey::Email => KeyValue::Text(Folded::of(contact.email.as_str())),
            SortKey::FirstName => KeyValue::Text(Folded::of(contact.first_name.as_str())),
            SortKey::LastName => KeyValue::Text(Folded::of(contact.last_name.as_str())),
            SortKey::CreatedAt => KeyValue::Moment(contact.created_at),
            SortKey::Field(field) => {
                let value = self.key_of(field).and_then(|key| contact.field_values.get(key));
                KeyValue::Value(value.map(FieldValue::list_key))
            }
        }
    }
}

impl SortKey {
    fn value_in(self, value: &Value) -> Option<KeyValue> {
        match self {
            Self::Email | Self::FirstName | Self::LastName => {
                // PostgreSQL has no text with NUL, so no contact has that place.
                let text = value.as_str().filter(|text| !text.contains('\0'));
                text.map(|text| KeyValue::Text(Folded::from_stored(text)))
            }
            Self::CreatedAt => {
                value.as_i64().and_then(Timestamp::from_micros).map(KeyValue::Moment)
            }
            Self::Field(_) if value.is_null() => Some(KeyValue::Value(None)),
            Self::Field(_) => {
                let key = BASE64_URL_SAFE_NO_PAD.decode(value.as_str()?).ok()?;
                Some(KeyValue::Value(Some(key)))
            }
        }
    }
}

impl KeyValue {
    fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Moment(moment) => moment.micros().into(),
            Self::Value(key) => key.as_ref().map(|key| BASE64_URL_SAFE_NO_PAD.encode(key)).into(),
        }
    }

    /// Contacts without a value are last in both directions.
    fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let order = match (self, other) {
            (Self::Value(one), Self::Value(other)) if one.is_none() || other.is_none() => {
                return one.is_none().cmp(&other.is_none());
            }
            _ => self.cmp(other),
        };
        if descending { order.reverse() } else { order }
    }
}

impl Place {
    /// The place of a contact in an order.
    #[must_use]
    pub fn of(contact: &Contact, sorts: &Sorts) -> Self {
        let keys = sorts.keys().iter().map(|sort| sorts.value_of(sort.key, contact)).collect();
        Self { keys, id: contact.id }
    }

    /// The place as an opaque text that only a query with these conditions, terms and sorts accepts.
    #[must_use]
    pub fn to_cursor(&self, query: &ListQuery) -> String {
        let keys = self.keys.iter().map(KeyValue::to_json);
        let place: Value = keys.chain([self.id.to_string().into()]).collect();
        let place = place.to_string();
        let mut bytes = seal(query, place.as_bytes()).to_vec();
        bytes.extend(place.into_bytes());
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The place of a cursor of this query.
    pub fn from_cursor(cursor: &str, query: &ListQuery) -> Result<Self, Problem> {
        opened(cursor, query).ok_or_else(not_of_this_query)
    }

    /// Returns an error for a text that no query accepts as its cursor. It needs no query, so the error can be returned together
    /// with those in the rest of the query.
    pub fn check_cursor(cursor: &str) -> Result<(), Problem> {
        decoded(cursor).map(|_decoded| ()).ok_or_else(not_of_this_query)
    }
}

fn not_of_this_query() -> Problem {
    Problem::new("must be a cursor of a list with the same filters, sorts and search")
}

/// What a cursor consists of: its bytes, which begin with the seal, and the values and the id in them.
fn decoded(cursor: &str) -> Option<(Vec<u8>, Vec<Value>)> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let place = serde_json::from_slice(bytes.get(SEAL..)?).ok()?;
    Some((bytes, place))
}

fn opened(cursor: &str, query: &ListQuery) -> Option<Place> {
    let (bytes, decoded) = decoded(cursor)?;
    let (sent, place) = bytes.split_at_checked(SEAL)?;
    if sent != seal(query, place) {
        return None;
    }
    let (id, values) = decoded.split_last()?;
    let sorts = query.sorts.keys();
    let keys = sorts.iter().zip(values).map(|(sort, value)| sort.key.value_in(value));
    let keys: Vec<KeyValue> = keys.collect::<Option<_>>()?;
    let is_whole = keys.len() == sorts.len() && keys.len() == values.len();
    let id = ContactId::parse(id.as_str()?)?;
    is_whole.then_some(Place { keys, id })
}

/// A checksum of a place and of the query that it belongs to. It detects mistakes, but does not prevent anyone from
/// making a cursor. A release that changes the `Debug` output of these types rejects earlier cursors.
fn seal(query: &ListQuery, place: &[u8]) -> [u8; SEAL] {
    let ListQuery { page: _, sorts, conditions, search, omits_values: _ } = query;
    let mut hash = Sha256::new();
    hash.update(format!("{sorts:?} {conditions:?} {search:?} "));
    hash.update(place);
    let mut seal = [0; SEAL];
    seal.iter_mut().zip(hash.finalize()).for_each(|(byte, hashed)| *byte = hashed);
    seal
}

impl Sorts {
    /// The order of two places in a list.
    #[must_use]
    pub fn compare(&self, one: &Place, other: &Place) -> Ordering {
        let pairs = self.keys().iter().zip(one.keys.iter().zip(&other.keys));
        let by_keys = pairs.map(|(sort, (one, other))| one.compare(other, sort.descending));
        let by_id = one.id.cmp(&other.id);
        by_keys.fold(Ordering::Equal, Ordering::then).then(if self.id_descending() {
            by_id.reverse()
        } else {
            by_id
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{KeyValue, Place};
    use crate::contacts::{Folded, ListQuery, Search, Sort, SortKey, Sorts};
    use crate::ids::ContactId;
    use crate::page::PageRequest;
    use crate::time::Timestamp;

    fn query() -> ListQuery {
        let sort = |key| Sort { key, descending: true };
        let sorts = Sorts::new(vec![sort(SortKey::Email), sort(SortKey::CreatedAt)]);
        ListQuery { sorts: sorts.expect("distinct keys"), ..ListQuery::default() }
    }

    fn place() -> Place {
        let moment = Timestamp::from_micros(-7).expect("in range");
        Place {
            keys: vec![KeyValue::Text(Folded::of("ÄB@x.example")), KeyValue::Moment(moment)],
            id: ContactId::new(Uuid::from_u128(7)),
        }
    }

    #[test]
    fn a_cursor_identifies_its_place_on_pages_of_any_size() {
        let cursor = place().to_cursor(&query());
        let page = PageRequest::new(1, 7).expect("a page");
        for query in [query(), ListQuery { page, ..query() }] {
            assert_eq!(Place::from_cursor(&cursor, &query), Ok(place()));
        }
    }

    proptest! {
        #[test]
        fn any_place_has_a_cursor(email: String, micros in -1_000_000_000_000_000..1_000_000_000_000_000_i64, id: u128) {
            let moment = Timestamp::from_micros(micros).expect("in range");
            let keys = vec![KeyValue::Text(Folded::of(&email)), KeyValue::Moment(moment)];
            let place = Place { keys, id: ContactId::new(Uuid::from_u128(id)) };
            let read = Place::from_cursor(&place.to_cursor(&query()), &query()).ok();
            prop_assert_eq!(read, (!email.contains('\0')).then_some(place));
        }

        #[test]
        fn any_other_text_is_not_a_cursor(text: String) {
            prop_assert!(Place::from_cursor(&text, &query()).is_err());
        }
    }

    #[test]
    fn a_damaged_or_foreign_cursor_is_refused() {
        let cursor = place().to_cursor(&query());
        for at in 0..cursor.len() {
            let mut damaged: Vec<char> = cursor.chars().collect();
            damaged[at] = if damaged[at] == 'A' { 'B' } else { 'A' };
            let shortened: String = cursor.chars().take(at).collect();
            for cursor in [damaged.into_iter().collect(), shortened] {
                assert!(Place::from_cursor(&cursor, &query()).is_err(), "{at}");
            }
        }
        let search = Search::parse("ann").expect("a search");
        let others = [
            ListQuery::default(),
            ListQuery { search, ..query() },
            ListQuery { sorts: Sorts::new(query().sorts.keys()[..1].to_vec()).unwrap(), ..query() },
        ];
        for query in others {
            assert!(Place::from_cursor(&cursor, &query).is_err(), "{query:?}");
        }
    }
}
