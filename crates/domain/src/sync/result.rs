//! The result of a sync.

use crate::text;
use crate::texts::texts;
use crate::web_address;

/// The longest platform's id of an asset, in code points.
pub const MAX_MAP_ID: usize = 255;

/// The longest platform's address of an asset, in code points.
pub const MAX_MAP_URL: usize = 2048;

/// The longest error message, in code points.
pub const MAX_ERROR_MESSAGE: usize = 5000;

texts! {
    /// A platform's own id for an asset.
    MapId, |text| text::name(text, MAX_MAP_ID);
    /// A platform's address of an asset: absolute, http or https.
    MapUrl, |text| web_address::absolute(text, MAX_MAP_URL);
    /// Why a sync failed.
    ErrorMessage, |text| text::without_nul(text::bounded(text::trimmed(text), MAX_ERROR_MESSAGE)?);
}

/// A platform's entry for an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// Its id.
    pub id: MapId,
    /// Its address.
    pub url: MapUrl,
}

/// The reported result of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The asset is in the platform.
    Completed(MapEntry),
    /// It failed.
    Failed(ErrorMessage),
}
