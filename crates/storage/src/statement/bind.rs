//! Values of a statement.

use crate::columns::{IdValue, JsonValue, MomentValue};

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
    Ids(Vec<Option<IdValue>>),
    Moments(Vec<Option<MomentValue>>),
    Jsons(Vec<JsonValue>),
    Texts(Vec<Option<String>>),
    BigInts(Vec<Option<i64>>),
    Blobs(Vec<Vec<u8>>),
}

impl Bind {
    /// The name of its type on PostgreSQL.
    pub(crate) const fn postgres_type(&self) -> &'static str {
        match self {
            Self::Id(_) | Self::OptionalId(_) => "uuid",
            Self::Moment(_) => "timestamptz",
            Self::Json(_) | Self::OptionalJson(_) => "json",
            Self::Text(_) => "text",
            Self::Int(_) | Self::OptionalInt(_) => "int",
            Self::SmallInt(_) => "smallint",
            Self::BigInt(_) => "bigint",
            Self::Bool(_) => "bool",
            Self::Bytes(_) => "bytea",
            Self::Ids(_) => "uuid[]",
            Self::Moments(_) => "timestamptz[]",
            Self::Jsons(_) => "json[]",
            Self::Texts(_) => "text[]",
            Self::BigInts(_) => "bigint[]",
            Self::Blobs(_) => "bytea[]",
        }
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
    contact_hub_domain::ids::PasskeyId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::OidcProviderId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::LinkId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::ContactId => |id| Self::Id(IdValue(id.uuid()));
    contact_hub_domain::ids::ViewId => |id| Self::Id(IdValue(id.uuid()));
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
    Option<contact_hub_domain::ids::SessionId> => |id| Self::OptionalId(id.map(|id| IdValue(id.uuid())));
    Option<contact_hub_domain::ids::SyncId> => |id| Self::OptionalId(id.map(|id| IdValue(id.uuid())));
    contact_hub_domain::time::Timestamp => |moment| Self::Moment(Some(MomentValue(moment)));
    Option<contact_hub_domain::time::Timestamp> => |moment| Self::Moment(moment.map(MomentValue));
    IdValue => Self::Id;
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
    Vec<IdValue> => |ids| Self::Ids(ids.into_iter().map(Some).collect());
    Vec<Option<String>> => Self::Texts;
}
