//! The version of the program.

/// The version of a release, or of the commit that a release was tried from.
pub(crate) const VERSION: &str = match option_env!("CONTACT_HUB_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
