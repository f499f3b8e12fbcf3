//! Assembles the service: settings, commands, the adapters for time, ids and randomness, and the wiring. It contains
//! no rule.
//!
//! This is the only crate that reads the environment, the clock or the source of randomness, and the only one that
//! depends on all the others.

pub mod adapters;
mod background;
mod backup;
pub mod backup_settings;
pub mod bootstrap;
mod check;
pub mod cli;
pub mod commands;
mod database_address;
mod database_flag;
pub mod edge_settings;
mod figures;
mod file_owner;
pub mod files;
pub mod hub;
pub mod limit_settings;
mod log_fields;
mod log_output;
pub mod logs;
pub mod mail_settings;
pub mod master_key;
mod metric_texts;
pub mod oidc_settings;
pub mod otlp_settings;
pub mod output;
mod postgres_address;
pub mod readiness;
pub mod replica_settings;
mod servers;
pub mod settings;
pub mod shutdown;
pub mod startup;
pub mod telemetry;
mod tied_program;
mod version;
pub mod webhook_settings;
mod whole_number;
pub mod wire;
mod workers;
