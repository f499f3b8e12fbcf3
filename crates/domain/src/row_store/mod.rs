//! The store ports of contacts and fields over plain rows.
//!
//! A program that has no store with a query language implements [`RowStore`]: transactions in which a company's rows are
//! read and written one by one. [`RowAdapter`] turns it into a [`ContactStore`](crate::contacts::ContactStore) and a
//! [`FieldStore`](crate::fields::FieldStore) with every outcome that these define. Lists read all contacts of the
//! company, so it serves tens of thousands of contacts; beyond that, implement the ports themselves.

mod contacts;
mod fields;
mod rows;

pub use rows::{CompanyRows, RowAdapter, RowStore, Stored};
