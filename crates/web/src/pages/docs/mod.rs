//! The documentation: the guide, and what the frame of its pages shows. The reference is in `openapi::page`.

mod frame;
pub(crate) mod guide;
mod markdown;

pub(crate) use frame::docs_frame;
