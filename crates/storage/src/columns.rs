//! Column types that the two databases spell differently, each with its value.

use diesel::QueryableByName;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::data_types::PgTimestamp;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{BigInt, Binary, SqlType, Text, Timestamptz};
use diesel::sqlite::{Sqlite, SqliteValue};
use std::io::Write;

use contact_hub_domain::time::Timestamp;
use uuid::Uuid;

/// Microseconds from the Unix epoch to PostgreSQL's, 2000-01-01T00:00:00Z.
const POSTGRES_EPOCH: i64 = 946_684_800_000_000;

/// `uuid`, or the 16 bytes.
#[derive(Clone, Copy, Debug, SqlType, diesel::query_builder::QueryId)]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
#[diesel(sqlite_type(name = "Binary"))]
pub(crate) struct Id;

/// `timestamptz`, or microseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, SqlType, diesel::query_builder::QueryId)]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
#[diesel(sqlite_type(name = "Long"))]
pub(crate) struct Moment;

/// `json`, or text; kept as written.
#[derive(Clone, Copy, Debug, SqlType, diesel::query_builder::QueryId)]
#[diesel(postgres_type(oid = 114, array_oid = 199))]
#[diesel(sqlite_type(name = "Text"))]
pub(crate) struct Json;

/// A value of an [`Id`] column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Id)]
pub(crate) struct IdValue(pub(crate) Uuid);

/// A value of a [`Moment`] column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Moment)]
pub(crate) struct MomentValue(pub(crate) Timestamp);

/// A value of a [`Json`] column.
#[derive(Clone, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Json)]
pub(crate) struct JsonValue(pub(crate) String);

/// Begins an item of an array or an object, after a comma unless it is the first.
pub(crate) fn separate(json: &mut String) {
    if !json.ends_with(['[', '{']) {
        json.push(',');
    }
}

impl ToSql<Id, Pg> for IdValue {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl ToSql<Id, Sqlite> for IdValue {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_bytes().as_slice());
        Ok(IsNull::No)
    }
}

impl FromSql<Id, Pg> for IdValue {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(Uuid::from_slice(value.as_bytes())?))
    }
}

impl FromSql<Id, Sqlite> for IdValue {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let bytes: Vec<u8> = FromSql::<Binary, Sqlite>::from_sql(value)?;
        Ok(Self(Uuid::from_slice(&bytes)?))
    }
}

impl ToSql<Moment, Pg> for MomentValue {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let moment = PgTimestamp(self.0.micros() - POSTGRES_EPOCH);
        ToSql::<Timestamptz, Pg>::to_sql(&moment, &mut out.reborrow())
    }
}

impl ToSql<Moment, Sqlite> for MomentValue {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.micros());
        Ok(IsNull::No)
    }
}

impl FromSql<Moment, Pg> for MomentValue {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let moment: PgTimestamp = FromSql::<Timestamptz, Pg>::from_sql(value)?;
        moment_of(moment.0.saturating_add(POSTGRES_EPOCH))
    }
}

impl FromSql<Moment, Sqlite> for MomentValue {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        moment_of(FromSql::<BigInt, Sqlite>::from_sql(value)?)
    }
}

fn moment_of(micros: i64) -> deserialize::Result<MomentValue> {
    let moment = Timestamp::from_micros(micros).ok_or("a moment outside the years 1 to 9999")?;
    Ok(MomentValue(moment))
}

impl ToSql<Json, Pg> for JsonValue {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.0.as_bytes())?;
        Ok(IsNull::No)
    }
}

impl ToSql<Json, Sqlite> for JsonValue {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_str());
        Ok(IsNull::No)
    }
}

impl FromSql<Json, Pg> for JsonValue {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(std::str::from_utf8(value.as_bytes())?.to_owned()))
    }
}

impl FromSql<Json, Sqlite> for JsonValue {
    fn from_sql(value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        Ok(Self(FromSql::<Text, Sqlite>::from_sql(value)?))
    }
}

/// A row that is only an id.
#[derive(QueryableByName)]
pub(crate) struct IdRow {
    #[diesel(sql_type = Id)]
    pub(crate) id: IdValue,
}
