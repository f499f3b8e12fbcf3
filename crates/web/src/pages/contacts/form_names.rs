//! Addresses of the form of a contact, and the names of its inputs.

use contact_hub_domain::fields::Field;
use contact_hub_domain::ids::ContactId;

use crate::pages::address::Address;

/// How the names of values begin.
pub(super) const VALUES: &str = "field_values.";

/// The name of a value in the form, which is also its path when it is refused.
pub(super) fn name_of(field: &Field) -> String {
    format!("{VALUES}{}", field.key)
}

/// Where the form of a contact is.
pub(super) fn path(id: ContactId) -> String {
    format!("/contacts/{id}/edit")
}

/// Where the form has only this field.
pub(super) fn form_of_field(id: ContactId, field: &Field) -> String {
    Address::default().with("field", field.key.as_str()).href(&path(id))
}
