//! The store ports on both databases.
