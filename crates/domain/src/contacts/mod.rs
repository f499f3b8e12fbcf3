//! Contacts: the recipients of sends.
//!
//! A contact is active or deleted. Deleting keeps the row, so that creating with the same email identity restores the
//! contact under its old id; there is one row for each identity of a company, including deleted contacts. So an email
//! can be changed to any that no other contact has, not even a deleted one.

mod avatar_url;
mod blocked_emails;
mod change;
mod change_draft;
mod contact;
mod counted_texts;
mod create;
mod delete;
mod delete_many;
mod detail;
mod draft;
mod erase;
mod erase_overdue;
mod erasure_port;
mod error;
mod everything;
mod export;
mod filter;
mod folded;
mod list;
mod list_after;
mod list_draft;
mod list_of_many;
mod list_query;
mod lookup;
mod matching;
mod merge;
mod name;
mod part;
mod place;
mod port;
mod read;
mod replace_values;
mod restore;
mod search;
mod set_values;
mod sort;
mod unblock;
mod upsert_many;
mod validate;
mod value_limit;
mod version;
mod view;
mod views;

pub use avatar_url::{AvatarUrl, MAX_AVATAR_URL};
pub use blocked_emails::{BlockKey, BlockedEmails, EmailDigest};
pub use change::change;
pub use change_draft::{ChangeDraft, ChangedValues, ContactChange, MAX_CHANGED_VALUES};
pub use contact::{Contact, NewContact};
pub use create::{CreatedContact, create, create_with_fields};
pub use delete::delete;
pub use delete_many::{DeletionDraft, MAX_BULK_DELETE, delete_many};
pub use detail::{ContactDetail, details};
pub use draft::{ContactDraft, ContactInput};
pub use erase::{ErasureDraft, erase};
pub use erase_overdue::erase_overdue;
#[cfg(any(test, feature = "mocks"))]
pub use erasure_port::MockErasureStore;
pub use erasure_port::{DeletedContact, ErasureStore, WantedDeleted};
pub use error::ContactsError;
pub use everything::{Everything, Known, MAX_KNOWN, everything};
pub use export::Export;
pub use filter::{
    Attribute, Comparison, Condition, MAX_CONDITIONS, MAX_FILTER_VALUE, MomentAttribute,
    MomentTest, Operator, TextAttribute, TextTest, ValueTest, conditions, field_operators, filters,
    moment_range,
};
pub use folded::Folded;
pub use list::list;
pub use list_after::{Following, list_after, list_uncounted};
pub use list_draft::{FieldFilter, ListDraft, SortName};
pub use list_of_many::{OfMany, list_of_many};
pub use list_query::ListQuery;
pub use lookup::{LookedUp, LookupDraft, LookupOutcome, MAX_LOOKUP, Wanted, look_up};
pub(crate) use matching::Matchable;
pub use merge::{Change, Existing, Merged, merge};
pub use name::{MAX_PERSON_NAME, PersonName};
pub use part::{Part, PartRequest, Start};
pub use place::{KeyValue, Place};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockContactStore;
pub use port::{
    ChangeContactOutcome, ContactStore, CreateContactOutcome, DeleteContactOutcome, ListOutcome,
    ReplaceValuesOutcome, UpsertOutcome,
};
pub use read::read;
pub use replace_values::{MAX_REPLACED_VALUES, ReplacementDraft, replace_values};
pub use restore::{DELETED_PAGE, MAX_RESTORE, list_deleted, restore};
pub use search::{MAX_SEARCH, MAX_SEARCH_TERMS, MIN_SUBSTRING, Search, SearchTerm};
pub use set_values::{MAX_SET_VALUES, set_values};
pub use sort::{MAX_SORTS, Sort, SortKey, Sorts};
pub use unblock::{UnblockDraft, unblock};
pub use upsert_many::{
    BulkDraft, BulkResult, BulkRun, FailedRow, MAX_BULK_UPSERT, RowDraft, upsert_many,
};
pub use version::ExpectedVersion;
#[cfg(any(test, feature = "mocks"))]
pub use view::MockViewStore;
pub use view::{MAX_VIEWS, View, ViewDraft, ViewName, ViewQuery, ViewStore};
pub use views::{delete_view, save_view, views};
