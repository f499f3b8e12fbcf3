//! The document as it is served: written once for each server, since it changes only with the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use actix_web::http::header::EntityTag;
use actix_web::web::Bytes;

use super::document::document;
use crate::error::{ApiError, Code};

/// The document of one server, written when it is first asked for.
#[derive(Debug, Default)]
pub struct ServedDocument(OnceLock<Written>);

/// The document as JSON, and the tag of this version.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) json: Bytes,
    pub(super) tag: EntityTag,
}

impl ServedDocument {
    pub(super) fn of(&self, public_url: &str) -> Result<&Written, ApiError> {
        if let Some(written) = self.0.get() {
            return Ok(written);
        }
        let json = document(public_url).to_json().map_err(|_unwritable| Code::InternalError)?;
        let mut hasher = DefaultHasher::new();
        json.hash(&mut hasher);
        let tag = EntityTag::new_strong(format!("{:x}", hasher.finish()));
        Ok(self.0.get_or_init(|| Written { json: json.into(), tag }))
    }
}
