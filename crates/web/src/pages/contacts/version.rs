//! The version of a contact that a page showed, so that nothing is done to one that has changed since.

use contact_hub_domain::contacts::{ContactsError, ExpectedVersion};
use contact_hub_domain::time::Timestamp;

use crate::error::{ApiError, Code};
use crate::pages::form::Form;

/// The version that the form carries; none fits a form that carries nothing.
pub(super) fn expected(form: &Form) -> ExpectedVersion {
    let seen = form.text("version").parse().ok().and_then(Timestamp::from_micros);
    ExpectedVersion::OneOf(seen.into_iter().collect())
}

/// An error in the words of a page, where no header names a version.
pub(super) fn told(error: ContactsError) -> ApiError {
    match error {
        ContactsError::Stale => ApiError::new(
            Code::PreconditionFailed,
            "The contact was changed by someone else since this page was opened. Open it again to see how it is now.",
        ),
        error => error.into(),
    }
}
