//! The store ports on both databases.

mod model;
