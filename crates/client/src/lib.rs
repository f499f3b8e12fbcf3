//! A client of Contact Hub, a contacts service with custom fields.
//!
#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! `hub` has the client, `call` one call with its options, `request` what is sent, `retries` when it is sent again, and
//! `error` what can go wrong. `contacts`, `fields` and `changes` have the operations with their types, `webhook` the
//! verification of webhooks.

#![deny(missing_docs)]

mod call;
mod changes;
mod contacts;
mod error;
mod fields;
mod hub;
mod request;
mod retries;
mod value;
mod webhook;

pub use call::{Call, Reply};
pub use changes::{Change, ChangeType, Changes, Next};
pub use contacts::{
    Contact, ContactChange, ContactQuery, Contacts, CursorMeta, Deleted, Export, ExportedContact,
    FailedRow, LookupMeta, NewContact, UpsertResult,
};
pub use error::{AnswerError, Error};
pub use fields::{Field, FieldChange, FieldType, FieldValue, Filterable, NewField, PageMeta};
pub use hub::{ContactHub, Deprecation};
pub use request::Method;
pub use retries::Retries;
pub use value::{Number, NumberError, Value};
pub use webhook::{ReceivedWebhook, WebhookVerificationError, verify_webhook};
