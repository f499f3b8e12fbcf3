//! The versions of OpenAPI in which the document is written.

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenApiVersion {
    /// 3.1, with everything that the document says.
    Current,
    /// 3.0, for generators that do not read 3.1.
    Older,
}
