//! Statements as Diesel runs them.

use diesel::RunQueryDsl;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, SmallInt, Text, Untyped};
use diesel::sqlite::Sqlite;

use super::{Bind, Statement};
use crate::columns::{Id, Json, Moment};

impl Query for Statement {
    type SqlType = Untyped;
}

impl QueryId for Statement {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Conn> RunQueryDsl<Conn> for Statement {}

/// Both databases bind single values alike.
macro_rules! fragment {
    ($database:ty, $out:ident, $($array:pat => $bound:expr,)+) => {
        impl QueryFragment<$database> for Statement {
            fn walk_ast<'b>(&'b self, mut $out: AstPass<'_, 'b, $database>) -> QueryResult<()> {
                if !self.keep_prepared {
                    $out.unsafe_to_cache_prepared();
                }
                for piece in self.pieces() {
                    let (text, value) = piece?;
                    $out.push_sql(text);
                    let Some(value) = value else { continue };
                    match value {
                        Bind::Id(it) => $out.push_bind_param::<Id, _>(it)?,
                        Bind::OptionalId(it) => $out.push_bind_param::<Nullable<Id>, _>(it)?,
                        Bind::Moment(it) => $out.push_bind_param::<Nullable<Moment>, _>(it)?,
                        Bind::Json(it) => $out.push_bind_param::<Json, _>(it)?,
                        Bind::OptionalJson(it) => $out.push_bind_param::<Nullable<Json>, _>(it)?,
                        Bind::Text(it) => $out.push_bind_param::<Nullable<Text>, _>(it)?,
                        Bind::Int(it) => $out.push_bind_param::<Integer, _>(it)?,
                        Bind::OptionalInt(it) => $out.push_bind_param::<Nullable<Integer>, _>(it)?,
                        Bind::SmallInt(it) => $out.push_bind_param::<SmallInt, _>(it)?,
                        Bind::BigInt(it) => $out.push_bind_param::<BigInt, _>(it)?,
                        Bind::Bool(it) => $out.push_bind_param::<Bool, _>(it)?,
                        Bind::Bytes(it) => $out.push_bind_param::<Binary, _>(it)?,
                        $($array => $bound?,)+
                    }
                }
                Ok(())
            }
        }
    };
}

fragment! { Pg, out,
    Bind::Ids(it) => out.push_bind_param::<Array<Nullable<Id>>, _>(it),
    Bind::Moments(it) => out.push_bind_param::<Array<Nullable<Moment>>, _>(it),
    Bind::Jsons(it) => out.push_bind_param::<Array<Json>, _>(it),
    Bind::Texts(it) => out.push_bind_param::<Array<Nullable<Text>>, _>(it),
    Bind::BigInts(it) => out.push_bind_param::<Array<Nullable<BigInt>>, _>(it),
    Bind::Blobs(it) => out.push_bind_param::<Array<Binary>, _>(it),
}

fragment! { Sqlite, out,
    Bind::Ids(_)
    | Bind::Moments(_)
    | Bind::Jsons(_)
    | Bind::Texts(_)
    | Bind::BigInts(_)
    | Bind::Blobs(_) => Err(Error::QueryBuilderError("SQLite has no arrays".into())),
}
