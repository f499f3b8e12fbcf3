//! The contacts that are selected in a list.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::MAX_BULK_DELETE;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use crate::pages::form::Form;
use crate::pages::session;

/// The contacts that are selected, and the list in which they were.
pub(super) struct Selection {
    pub(super) ids: BTreeSet<ContactId>,
    pub(super) back: String,
}

impl Selection {
    /// Reads the form. Damaged ids are ignored, and so are ids beyond the limit of a bulk.
    pub(super) fn of(form: &Form) -> Self {
        let ids = form.all("ids").filter_map(ContactId::parse).take(MAX_BULK_DELETE).collect();
        Self { ids, back: list_of(form) }
    }

    /// The number, in words.
    pub(super) fn count(&self) -> String {
        match self.ids.len() {
            1 => "1 contact".to_owned(),
            count => format!("{count} contacts"),
        }
    }

    /// The ids as a draft takes them.
    pub(super) fn inputs<P: From<Input>>(&self) -> Property<Vec<P>> {
        self.ids.iter().map(|id| Input::Text(id.to_string()).into()).collect()
    }
}

/// The list from which a form was sent.
pub(super) fn list_of(form: &Form) -> String {
    let back = session::within(form.text("back"));
    let is_list = back == "/contacts" || back.starts_with("/contacts?");
    if is_list { back } else { "/contacts" }.to_owned()
}
