//! Delivery of webhooks to the outside.
//!
//! Nothing is sent yet; the custom platform sync moves in here.
