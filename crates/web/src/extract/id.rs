//! The ids in a path.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use contact_hub_domain::ids::{
    ApiKeyId, AssetId, ContactId, DeliveryId, FieldId, IntegrationId, SessionId, UserId, WebhookId,
};

use crate::error::{ApiError, Code};

/// An id in the path. A malformed one is an unknown one, so the answer is the 404 of its resource.
pub(crate) struct PathId<T>(pub(crate) T);

/// A resource that a path names by its id.
pub(crate) trait Resource: Sized {
    /// The id's name in the pattern of the path.
    const PARAMETER: &str;
    /// What an unknown id is answered with.
    const UNKNOWN: Code;

    /// Reads the id.
    fn parse(text: &str) -> Option<Self>;
}

impl<T: Resource> FromRequest for PathId<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let id = request.match_info().get(T::PARAMETER).and_then(T::parse);
        ready(id.map(Self).ok_or_else(|| T::UNKNOWN.into()))
    }
}

macro_rules! resources {
    ($($id:ident = $parameter:literal, $code:ident;)+) => {$(
        impl Resource for $id {
            const PARAMETER: &str = $parameter;
            const UNKNOWN: Code = Code::$code;

            fn parse(text: &str) -> Option<Self> {
                Self::parse(text)
            }
        }
    )+};
}

resources! {
    ApiKeyId = "key_id", ApiKeyNotFound;
    AssetId = "id", AssetNotFound;
    ContactId = "id", ContactNotFound;
    DeliveryId = "id", DeliveryNotFound;
    FieldId = "id", FieldNotFound;
    IntegrationId = "id", IntegrationNotFound;
    SessionId = "id", NotFound;
    UserId = "id", UserNotFound;
    WebhookId = "id", WebhookNotFound;
}
