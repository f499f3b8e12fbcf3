//! The form of a contact that was changed by someone else in the meantime: both versions, where they differ.

use contact_hub_domain::fields::{Directory, FieldType};

use super::form_names::name_of;
use super::values::LONG_VALUE;
use crate::error::{ApiError, Code};
use crate::pages::excerpt::shortened;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::label::label;

const ATTRIBUTES: [&str; 4] = ["email", "first_name", "last_name", "avatar_url"];

const CHANGED: &str = "The contact was changed by someone else since you opened it. Choose below what to keep, then save.";

/// The two versions of one field.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) yours: String,
    pub(super) theirs: String,
    is_boolean: bool,
}

impl Side {
    /// One of the two versions in words.
    pub(super) fn shown(&self, text: &str) -> String {
        match text {
            "" => "Nothing".to_owned(),
            "true" if self.is_boolean => "Yes".to_owned(),
            "false" if self.is_boolean => "No".to_owned(),
            text => shortened(text, LONG_VALUE),
        }
    }
}

/// The form at the current version of the contact, and both versions of each field that was edited here and changed there;
/// `None` when there is none. Fields that were not edited have their current values.
pub(super) fn conflict(
    form: &Form,
    current: &FormView,
    directory: &Directory,
) -> Result<Option<(FormView, Vec<Side>)>, ApiError> {
    let attributes = ATTRIBUTES.map(|name| (name.to_owned(), label(name), false));
    let fields = directory
        .fields()
        .iter()
        .map(|field| (name_of(field), field.name.clone(), field.kind == FieldType::Boolean));
    let all = attributes.into_iter().chain(fields).filter(|(name, ..)| form.is_ticked(name));
    let (edited, others): (Vec<_>, Vec<_>) = all.partition(|(name, ..)| form.is_edited(name));
    // Others changed something else since the form was opened.
    let is_unchanged = |name: &str| !form.seen().differ(name, current.all(name));
    let sides = edited.into_iter().filter_map(|(name, label, is_boolean)| {
        let (yours, theirs) = (form.text(&name).to_owned(), current.text(&name).to_owned());
        let differs = yours != theirs && !is_unchanged(&name);
        differs.then_some(Side { name, label, yours, theirs, is_boolean })
    });
    let sides: Vec<Side> = sides.collect();
    if sides.is_empty() {
        return Ok(None);
    }
    let error = ApiError::new(Code::PreconditionFailed, CHANGED);
    let mut view = FormView::refused(form, error)?.opened_with(current);
    for (name, ..) in others {
        view = view.with(&name, current.text(&name));
    }
    Ok(Some((view.with("version", current.text("version")), sides)))
}
