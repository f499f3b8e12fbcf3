//! What a handler takes from a request, described by its extractors.

use utoipa::openapi::path::Parameter;

use crate::error::Code;

/// What the extractors of a handler take, and the errors that they add.
#[derive(Default)]
pub(crate) struct Taken {
    /// Whether the method only reads.
    pub(crate) only_reads: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) errors: Vec<Code>,
    /// The largest body, in bytes, when one is read.
    pub(crate) body: Option<usize>,
    /// Whether the body may be left out.
    pub(crate) is_body_optional: bool,
}

/// An extractor, or all those of a handler, that can describe itself.
pub(crate) trait Takes {
    /// Adds what it takes.
    fn describe(taken: &mut Taken);
}

macro_rules! handlers {
    ($(($($extractor:ident),+);)+) => {$(
        impl<$($extractor: Takes),+> Takes for ($($extractor,)+) {
            fn describe(taken: &mut Taken) {
                $($extractor::describe(taken);)+
            }
        }
    )+};
}

handlers! {
    (A);
    (A, B);
    (A, B, C);
    (A, B, C, D);
}
