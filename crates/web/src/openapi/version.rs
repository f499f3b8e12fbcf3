//! The versions of OpenAPI in which the document is written.

use super::document::document;
use super::older::older;

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenApiVersion {
    /// 3.1, with everything that the document says.
    Current,
    /// 3.0, for generators that do not read 3.1.
    Older,
}

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
