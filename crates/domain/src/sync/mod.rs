//! Sync: what an asset's text says in the syntax of the platform that will send it.
//!
//! An asset is written once, with merge tags of its own such as `{{first_name|there}}`. [`convert()`] puts each into a
//! platform's own syntax; a company's [`MergeTagMapping`] wins over the built-in conversion. Text outside tags is never
//! touched.

mod convert;
mod mapping;
mod merge_tag;
mod plain_text;
mod platform;
mod platforms;
mod template;

pub use convert::{convert, tags};
pub use mapping::{MAX_MAPPED_TAGS, MAX_REPLACEMENT, MergeTagMapping};
pub use merge_tag::{MergeTag, MergeTagName};
pub use plain_text::plain_text;
pub use platform::Platform;
pub use template::{Segment, segments};
