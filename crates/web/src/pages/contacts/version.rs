//! The version of a contact that a page showed, so that a contact that has changed since is not overwritten.

use contact_hub_domain::contacts::{ContactsError, ExpectedVersion};
use contact_hub_domain::time::Timestamp;

use crate::error::{ApiError, Code};
use crate::pages::form::Form;

/// The version in the form; a form without one matches no version.
pub(super) fn expected(form: &Form) -> ExpectedVersion {
    let seen = form.text("version").parse().ok().and_then(Timestamp::from_micros);
    ExpectedVersion::OneOf(seen.into_iter().collect())
}

/// An error in the words of a page, which has no version headers.
pub(super) fn for_page(error: ContactsError) -> ApiError {
    match error {
        ContactsError::Stale => ApiError::new(
            Code::PreconditionFailed,
            "The contact was changed by someone else since this page was opened. Open it again to see how it is now.",
        ),
        error => error.into(),
    }
}
