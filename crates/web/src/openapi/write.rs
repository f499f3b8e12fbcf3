//! Writes the document.

use super::document::document;
use super::older::older;
use super::version::OpenApiVersion;

impl OpenApiVersion {
    /// The document as JSON; its server is `public_url`, the base of all paths.
    pub fn write(self, public_url: &str) -> Result<String, serde_json::Error> {
        let document = document(public_url);
        match self {
            Self::Current => document.to_json(),
            Self::Older => serde_json::to_string(&older(serde_json::to_value(document)?)),
        }
    }
}
