//! The allowed dependencies. Changing a line here changes the architecture.
//!
//! Only dependencies of programs count; those of tests are free.

/// One crate of the workspace and the crates of the workspace that it may use.
pub(crate) struct Layer {
    /// The crate.
    pub(crate) name: &'static str,
    /// The crates that it may use.
    pub(crate) may_use: MayUse,
}

/// The crates of the workspace that a crate may use.
pub(crate) enum MayUse {
    /// All of them.
    Anything,
    /// These.
    Only(&'static [&'static str]),
}

/// An external crate that only some crates may use.
pub(crate) struct Place {
    /// The crate.
    pub(crate) name: &'static str,
    /// The crates of the workspace that may use it.
    pub(crate) only_in: &'static [&'static str],
}

/// The crate that all others depend on.
pub(crate) const DOMAIN: &str = "contact-hub-domain";

/// Every crate of the workspace.
pub(crate) const LAYERS: &[Layer] = &[
    Layer { name: DOMAIN, may_use: MayUse::Only(&[]) },
    Layer {
        name: "contact-hub-storage",
        may_use: MayUse::Only(&[
            DOMAIN,
            "contact-hub-database-tls",
            "contact-hub-sqlite-files",
            "contact-hub-sqlite-interrupt",
            "contact-hub-traces",
        ]),
    },
    Layer { name: "contact-hub-database-tls", may_use: MayUse::Only(&[]) },
    Layer { name: "contact-hub-sqlite-files", may_use: MayUse::Only(&[]) },
    Layer { name: "contact-hub-sqlite-interrupt", may_use: MayUse::Only(&[]) },
    // It tests any store, so it knows none.
    Layer { name: "contact-hub-store-tests", may_use: MayUse::Only(&[DOMAIN]) },
    Layer { name: "contact-hub-allocator", may_use: MayUse::Only(&[]) },
    Layer { name: "contact-hub-traces", may_use: MayUse::Only(&[]) },
    Layer { name: "contact-hub-web", may_use: MayUse::Only(&[DOMAIN, "contact-hub-traces"]) },
    Layer { name: "contact-hub-sender", may_use: MayUse::Only(&[DOMAIN, "contact-hub-traces"]) },
    // They represent an integrator's services, which use only the interface.
    Layer { name: "contact-hub-receiver", may_use: MayUse::Only(&[]) },
    Layer { name: "contact-hub-mirror", may_use: MayUse::Only(&[]) },
    Layer { name: "contact-hub-client", may_use: MayUse::Only(&[]) },
    Layer {
        name: "contact-hub",
        may_use: MayUse::Only(&[
            DOMAIN,
            "contact-hub-storage",
            "contact-hub-web",
            "contact-hub-sender",
            "contact-hub-client",
            "contact-hub-receiver",
            "contact-hub-allocator",
            "contact-hub-traces",
        ]),
    },
    Layer { name: "contact-hub-tests", may_use: MayUse::Anything },
    Layer { name: "xtask", may_use: MayUse::Anything },
];

/// External crates that the domain may use: values, text and digests, and nothing with a runtime, a database or a
/// network.
pub(crate) const DOMAIN_USES: &[&str] = &[
    "async-trait",
    "base64",
    "compact_str",
    "crc32fast",
    "garde",
    "hex",
    "hmac",
    "html5gum",
    "icu_casemap",
    "icu_properties",
    "idna",
    "ipnet",
    "serde_json",
    "sha2",
    "strsim",
    "strum",
    "thiserror",
    "time",
    "totp-rs",
    "unicode-normalization",
    "unicode-properties",
    "url",
    "uuid",
    "zeroize",
];

/// External crates that the domain may use behind a feature that is off by default.
pub(crate) const DOMAIN_USES_OPTIONALLY: &[&str] = &["mockall"];

/// Crates that may not be in the domain's tree at any depth; `*` matches the rest of a name.
pub(crate) const DOMAIN_NEVER: &[&str] = &["tokio", "actix-*", "diesel", "reqwest", "hyper", "mio"];

/// External crates that belong to one layer.
pub(crate) const PLACES: &[Place] = &[
    Place {
        name: "anyhow",
        only_in: &["contact-hub", "contact-hub-mirror", "xtask", "contact-hub-tests"],
    },
    Place {
        name: "actix-web",
        only_in: &["contact-hub-web", "contact-hub-receiver", "contact-hub", "contact-hub-tests"],
    },
    Place { name: "diesel", only_in: &["contact-hub-storage", "contact-hub-tests"] },
    Place { name: "lettre", only_in: &["contact-hub-sender"] },
    Place { name: "opentelemetry", only_in: &["contact-hub-traces"] },
    Place { name: "opentelemetry-proto", only_in: &["contact-hub-traces", "contact-hub-tests"] },
    Place { name: "opentelemetry_sdk", only_in: &["contact-hub-traces"] },
    Place { name: "tokio-rustls", only_in: &["contact-hub-database-tls", "contact-hub-tests"] },
    Place { name: "webauthn-rs", only_in: &["contact-hub"] },
    Place {
        name: "rusqlite",
        only_in: &["contact-hub-storage", "contact-hub-mirror", "xtask", "contact-hub-tests"],
    },
];
