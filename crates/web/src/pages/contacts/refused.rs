//! A contact's form that was refused.

use contact_hub_domain::contacts::{self, ContactsError};

use super::version::for_page;
use crate::error::{ApiError, Code};
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;

/// The form with its errors. If another contact has the email, the error names it and leads to it.
pub(super) async fn refused(
    caller: &PageCaller,
    form: &Form,
    error: ContactsError,
) -> Result<FormView, ApiError> {
    let ContactsError::AlreadyExists(holder) = error else {
        return FormView::refused(form, for_page(error));
    };
    let holder = contacts::read(&caller.context(), holder).await?.contact;
    let (first, last) = (holder.first_name.as_str(), holder.last_name.as_str());
    let sentence = format!("{first} {last} already uses this email.");
    let view = FormView::refused(form, ApiError::new(Code::ContactAlreadyExists, sentence))?;
    Ok(view.linked("email", "View contact".to_owned(), format!("/contacts/{}", holder.id)))
}
