//! The contacts that are selected in a list.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::MAX_BULK_DELETE;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use crate::pages::address::Address;
use crate::pages::form::Form;
use crate::pages::notice::undone;
use crate::pages::session;

/// The parameter with the ids, one after the other, and the field with the list.
const SELECTED: &str = "selected";
const BACK: &str = "back";

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

    /// Reads the address of a page about the selection.
    pub(super) fn of_address(address: &Address) -> Self {
        let ids = undone(address.get(SELECTED)).into_iter().take(MAX_BULK_DELETE).collect();
        Self { ids, back: list_at(address.get(BACK)) }
    }

    /// The address of a page about the selection. So going back to the page sends no form again.
    pub(super) fn address(&self) -> Address {
        let ids: String = self.ids.iter().map(ContactId::to_string).collect();
        Address::default().with(SELECTED, &ids).with(BACK, &self.back)
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
    list_at(form.text(BACK))
}

fn list_at(back: &str) -> String {
    let back = session::within(back);
    let is_list = back == "/contacts" || back.starts_with("/contacts?");
    if is_list { back } else { "/contacts" }.to_owned()
}
