//! The store ports on both databases.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "what the tests share fails the test that uses it, and makes ids and times of its own"
)]

mod access;
mod alerts;
mod blocked_emails;
mod change_contact;
mod combined_fields;
mod contacts;
mod count_backlogs;
mod creates;
mod cut_erasures;
mod deferred;
mod domains;
mod far_pages;
mod feed_order;
mod feed_purges;
mod fields;
mod idempotency;
mod indexed_values;
mod inspection;
mod late_values;
mod list_counts;
mod lists;
mod lists_by_value;
mod lists_of_one_value;
mod lists_without_statistics;
mod memory;
mod migrations;
mod model;
mod oidc;
mod oidc_providers;
mod overview;
mod page_values;
mod parts;
mod passkeys;
mod plans;
mod prepared_lists;
mod rate_windows;
mod reads_in_order;
mod replicas;
mod sample;
mod searches;
mod sessions;
mod skipped;
mod sqlite_lists;
mod statistics;
mod stored;
mod sync;
mod two_step;
mod users;
mod value_blocks;
mod value_totals;
mod views;
mod webhooks;
