//! The names of headers that several parts of the service know.

/// The header with the key of a call that may be repeated, as answers name it.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The header of an answer that was given before.
pub(crate) const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
