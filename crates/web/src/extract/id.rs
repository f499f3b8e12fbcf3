//! The ids in a path.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use contact_hub_domain::ids::{
    ApiKeyId, AssetId, ContactId, DeliveryId, FieldId, IntegrationId, OidcProviderId, PasskeyId,
    SessionId, UserId, WebhookId,
};

use crate::endpoint::{Taken, Takes};
use crate::error::{ApiError, Code};
use crate::openapi::parameters;

/// An id in the path. A malformed id is treated as unknown: 404 of its resource.
pub(crate) struct PathId<T>(pub(crate) T);

/// A resource that a path names by its id.
pub(crate) trait Resource: Sized {
    /// The id's name in the pattern of the path.
    const PARAMETER: &str;
    /// The description of the id.
    const ABOUT: &str;
    /// The error for an unknown id.
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

impl<T: Resource> Takes for PathId<T> {
    fn describe(taken: &mut Taken) {
        taken.parameters.push(parameters::id(T::PARAMETER, T::ABOUT));
        taken.errors.push(T::UNKNOWN);
    }
}

macro_rules! resources {
    ($($id:ident = $parameter:literal, $about:literal, $code:ident;)+) => {$(
        impl Resource for $id {
            const PARAMETER: &str = $parameter;
            const ABOUT: &str = $about;
            const UNKNOWN: Code = Code::$code;

            fn parse(text: &str) -> Option<Self> {
                Self::parse(text)
            }
        }
    )+};
}

resources! {
    ApiKeyId = "key_id", "The id of one of the user's keys", ApiKeyNotFound;
    AssetId = "id", "The id of an asset", AssetNotFound;
    ContactId = "id", "The id of a contact", ContactNotFound;
    DeliveryId = "id", "The id of a delivery", DeliveryNotFound;
    FieldId = "id", "The id of a field", FieldNotFound;
    IntegrationId = "id", "The id of an integration", IntegrationNotFound;
    OidcProviderId = "id", "The id of an identity provider", NotFound;
    PasskeyId = "id", "The id of a passkey", NotFound;
    SessionId = "id", "The id of a session", NotFound;
    UserId = "id", "The id of a user", UserNotFound;
    WebhookId = "id", "The id of a webhook", WebhookNotFound;
}
