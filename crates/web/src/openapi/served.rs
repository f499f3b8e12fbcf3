//! The document as it is served: written once for each server, since it changes only with the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use actix_web::http::header::EntityTag;
use actix_web::web::Bytes;

use super::version::OpenApiVersion;
use crate::error::{ApiError, Code};

/// The document of one server. Each version is written when it is first requested.
#[derive(Debug, Default)]
pub struct ServedDocument {
    current: OnceLock<Written>,
    older: OnceLock<Written>,
}

/// The document as JSON, and the tag of this version.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) json: Bytes,
    pub(super) tag: EntityTag,
}

impl ServedDocument {
    /// The document in a version, which `write` writes if it is not there yet.
    pub(super) fn of(
        &self,
        version: OpenApiVersion,
        write: impl FnOnce() -> Result<String, serde_json::Error>,
    ) -> Result<&Written, ApiError> {
        let place = match version {
            OpenApiVersion::Current => &self.current,
            OpenApiVersion::Older => &self.older,
        };
        if let Some(written) = place.get() {
            return Ok(written);
        }
        let json = write().map_err(|_unwritable| Code::InternalError)?;
        let mut hasher = DefaultHasher::new();
        json.hash(&mut hasher);
        let tag = EntityTag::new_strong(format!("{:x}", hasher.finish()));
        Ok(place.get_or_init(|| Written { json: json.into(), tag }))
    }
}
