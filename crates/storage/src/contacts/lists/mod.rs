//! Lists of contacts: pages with their total, and parts without one.
//!
//! `list` and `part` choose the way to the matches. Without conditions that is a walk along the index of the order (`walk`).
//! With conditions it depends on how many contacts match, which the kept counts and bounded counts say before: few are gathered
//! and sorted, many are met soon along the order. What PostgreSQL does is in `matches`, and what SQLite does in `hits`.

mod addresses;
mod behind;
mod by_value;
mod candidates;
mod column_tests;
mod conditions;
mod counted_part;
mod covering;
mod domains;
mod far_matches;
mod first_of_value;
mod gather;
mod groups;
mod hits;
mod intersected_ranges;
mod joined_values;
mod key_range;
mod kinds;
mod known_by_values;
mod left_out;
mod limits;
mod list;
mod matches;
mod matches_by_value;
mod merged_ranges;
mod one_character;
mod order;
mod own_values;
mod page_rows;
mod page_values;
mod pages_by_value;
mod part;
mod prepared;
mod ranges;
mod search;
mod skipped;
mod substrings;
mod value_conditions;
mod value_entries;
mod value_total;
mod walk;
mod walked_matches;
mod ways;
mod window;

pub use limits::ListLimits;
