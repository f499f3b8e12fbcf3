//! A statement as text with bound values, prepared once for each connection.
//!
//! Diesel's `sql_query` is never cached, so its text is parsed and planned at every call. The text of this type is
//! made of constants, so its prepared form can be cached.

use std::borrow::Cow;

use diesel::RunQueryDsl;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, SmallInt, Text, Untyped};
use diesel::sqlite::Sqlite;

use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};

/// Text in which each `?` is the next bound value. The text never contains a value.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    text: Cow<'static, str>,
    binds: Vec<Bind>,
    keep_prepared: bool,
}

/// A bound value.
#[derive(Clone, Debug)]
pub(crate) enum Bind {
    Id(IdValue),
    OptionalId(Option<IdValue>),
    Moment(Option<MomentValue>),
    Json(JsonValue),
    OptionalJson(Option<JsonValue>),
    Text(Option<String>),
    Int(i32),
    OptionalInt(Option<i32>),
    SmallInt(i16),
    BigInt(i64),
    Bool(bool),
    Bytes(Vec<u8>),
    Ids(Vec<IdValue>),
    Moments(Vec<Option<MomentValue>>),
    Jsons(Vec<JsonValue>),
    Texts(Vec<Option<String>>),
    BigInts(Vec<Option<i64>>),
    Blobs(Vec<Vec<u8>>),
}

/// A statement of this text.
pub(crate) fn statement(text: impl Into<Cow<'static, str>>) -> Statement {
    Statement { text: text.into(), binds: Vec::new(), keep_prepared: true }
}

impl Statement {
    /// Binds the next `?`.
    pub(crate) fn bind(mut self, value: impl Into<Bind>) -> Self {
        self.binds.push(value.into());
        self
    }

    /// Prepares the statement anew each time. For texts that depend on the client's query: there could be any number
    /// of them, and their best plan depends on the values.
    pub(crate) const fn uncached(mut self) -> Self {
        self.keep_prepared = false;
        self
    }

    /// Its text, without the values.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The same with text before it.
    pub(crate) fn prefixed(mut self, prefix: &str) -> Self {
        self.text = format!("{prefix}{}", self.text).into();
        self
    }

    fn pieces(&self) -> impl Iterator<Item = (&str, Option<&Bind>)> {
        debug_assert_eq!(self.text.matches('?').count(), self.binds.len(), "{}", self.text);
        let binds = self.binds.iter().map(Some).chain(std::iter::repeat(None));
        self.text.split('?').zip(binds)
    }
}

impl Query for Statement {
    type SqlType = Untyped;
}

impl QueryId for Statement {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Conn> RunQueryDsl<Conn> for Statement {}

impl QueryFragment<Pg> for Statement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        if !self.keep_prepared {
            out.unsafe_to_cache_prepared();
        }
        for (text, bind) in self.pieces() {
            out.push_sql(text);
            match bind {
                None => {}
                Some(Bind::Id(value)) => out.push_bind_param::<Id, _>(value)?,
                Some(Bind::OptionalId(value)) => out.push_bind_param::<Nullable<Id>, _>(value)?,
                Some(Bind::Moment(value)) => out.push_bind_param::<Nullable<Moment>, _>(value)?,
                Some(Bind::Json(value)) => out.push_bind_param::<Json, _>(value)?,
                Some(Bind::OptionalJson(value)) => {
                    out.push_bind_param::<Nullable<Json>, _>(value)?;
                }
                Some(Bind::Text(value)) => out.push_bind_param::<Nullable<Text>, _>(value)?,
                Some(Bind::Int(value)) => out.push_bind_param::<Integer, _>(value)?,
                Some(Bind::OptionalInt(value)) => {
                    out.push_bind_param::<Nullable<Integer>, _>(value)?;
                }
                Some(Bind::SmallInt(value)) => out.push_bind_param::<SmallInt, _>(value)?,
                Some(Bind::BigInt(value)) => out.push_bind_param::<BigInt, _>(value)?,
                Some(Bind::Bool(value)) => out.push_bind_param::<Bool, _>(value)?,
                Some(Bind::Bytes(value)) => out.push_bind_param::<Binary, _>(value)?,
                Some(Bind::Ids(values)) => out.push_bind_param::<Array<Id>, _>(values)?,
                Some(Bind::Moments(values)) => {
                    out.push_bind_param::<Array<Nullable<Moment>>, _>(values)?;
                }
                Some(Bind::Jsons(values)) => out.push_bind_param::<Array<Json>, _>(values)?,
                Some(Bind::Texts(values)) => {
                    out.push_bind_param::<Array<Nullable<Text>>, _>(values)?;
                }
                Some(Bind::BigInts(values)) => {
                    out.push_bind_param::<Array<Nullable<BigInt>>, _>(values)?;
                }
                Some(Bind::Blobs(values)) => out.push_bind_param::<Array<Binary>, _>(values)?,
            }
        }
        Ok(())
    }
}

impl QueryFragment<Sqlite> for Statement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        if !self.keep_prepared {
            out.unsafe_to_cache_prepared();
        }
        for (text, bind) in self.pieces() {
            out.push_sql(text);
            match bind {
                None => {}
                Some(Bind::Id(value)) => out.push_bind_param::<Id, _>(value)?,
                Some(Bind::OptionalId(value)) => out.push_bind_param::<Nullable<Id>, _>(value)?,
                Some(Bind::Moment(value)) => out.push_bind_param::<Nullable<Moment>, _>(value)?,
                Some(Bind::Json(value)) => out.push_bind_param::<Json, _>(value)?,
                Some(Bind::OptionalJson(value)) => {
                    out.push_bind_param::<Nullable<Json>, _>(value)?;
                }
                Some(Bind::Text(value)) => out.push_bind_param::<Nullable<Text>, _>(value)?,
                Some(Bind::Int(value)) => out.push_bind_param::<Integer, _>(value)?,
                Some(Bind::OptionalInt(value)) => {
                    out.push_bind_param::<Nullable<Integer>, _>(value)?;
                }
                Some(Bind::SmallInt(value)) => out.push_bind_param::<SmallInt, _>(value)?,
                Some(Bind::BigInt(value)) => out.push_bind_param::<BigInt, _>(value)?,
                Some(Bind::Bool(value)) => out.push_bind_param::<Bool, _>(value)?,
                Some(Bind::Bytes(value)) => out.push_bind_param::<Binary, _>(value)?,
                Some(
                    Bind::Ids(_)
                    | Bind::Moments(_)
                    | Bind::Jsons(_)
                    | Bind::Texts(_)
                    | Bind::BigInts(_)
                    | Bind::Blobs(_),
                ) => return Err(Error::QueryBuilderError("SQLite has no arrays".into())),
            }
        }
        Ok(())
    }
}

macro_rules! binds {
    ($($from:ty => $to:expr;)+) => {$(
        impl From<$from> for Bind {
            fn from(value: $from) -> Self {
                let to: fn($from) -> Self = $to;
                to(value)
            }
        }
    )+};
}

binds! {
    contact_hub_domain::ids::CompanyId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::DirectoryId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::UserId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::ApiKeyId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::SessionId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::LinkId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::ContactId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::FieldId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::AssetId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::IntegrationId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::SyncId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::WebhookId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::WebhookSecretId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::EventId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::DeliveryId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::AttemptId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::InstanceId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::LeaseId => |id| Self::Id(IdValue(id.uuid()));
    Option<contact_hub_domain::ids::SyncId> => |id| Self::OptionalId(id.map(|id| IdValue(id.uuid())));
    contact_hub_domain::time::Timestamp => |moment| Self::Moment(Some(MomentValue(moment)));
    Option<contact_hub_domain::time::Timestamp> => |moment| Self::Moment(moment.map(MomentValue));
    JsonValue => Self::Json;
    Option<JsonValue> => Self::OptionalJson;
    String => |text| Self::Text(Some(text));
    &str => |text| Self::Text(Some(text.to_owned()));
    Option<String> => Self::Text;
    i32 => Self::Int;
    Option<i32> => Self::OptionalInt;
    i16 => Self::SmallInt;
    i64 => Self::BigInt;
    bool => Self::Bool;
    Vec<u8> => Self::Bytes;
    &[u8] => |bytes| Self::Bytes(bytes.to_vec());
    Vec<IdValue> => Self::Ids;
    Vec<Option<MomentValue>> => Self::Moments;
    Vec<JsonValue> => Self::Jsons;
    Vec<Option<String>> => Self::Texts;
    Vec<i64> => |values| Self::BigInts(values.into_iter().map(Some).collect());
    Vec<Vec<u8>> => Self::Blobs;
}
