//! The result of a sync, as the external service knows it.

use super::texts::texts;
use crate::input::FromText;
use crate::text;
use crate::violations::Problem;
use crate::web_address;

/// The longest id that a platform has for an asset, in code points.
pub const MAX_MAP_ID: usize = 255;

/// The longest address that a platform has for an asset, in code points.
pub const MAX_MAP_URL: usize = 2048;

/// The longest error message, in code points.
pub const MAX_ERROR_MESSAGE: usize = 5000;

texts! {
    /// A platform's own id for an asset.
    MapId, |text| text::name(text, MAX_MAP_ID);
    /// Where a platform shows an asset: an absolute http or https address.
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

/// The result of a sync, as the external service reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// It is in the platform.
    Completed(MapEntry),
    /// It is not.
    Failed(ErrorMessage),
}
