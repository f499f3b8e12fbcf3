//! The contacts.

mod allowlist;
mod by_values;
mod change;
mod changes;
mod create;
mod cursor;
mod delete;
mod dry_run;
mod emails;
mod export;
mod filters;
mod large_values;
mod list;
mod look_up;
mod moments;
mod numbers;
mod order;
mod people;
mod read;
mod replace_values;
mod restore;
mod rows_in_order;
mod text;
mod upsert_many;
mod values;
