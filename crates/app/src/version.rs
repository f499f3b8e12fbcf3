//! The version of the program.

use std::sync::LazyLock;

use contact_hub_storage::HAS_TLS;

/// The version of a release, or of the commit that a release was tried from.
pub(crate) const VERSION: &str = match option_env!("CONTACT_HUB_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The version and what the build has.
pub(crate) fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let tls = if HAS_TLS { "yes" } else { "no" };
        format!("{VERSION}\nTLS towards PostgreSQL: {tls}")
    });
    &TEXT
}
