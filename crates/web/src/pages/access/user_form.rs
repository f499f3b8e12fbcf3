//! The form of a user, for creating and for changing alike.

use contact_hub_domain::access::{Permission, User, UserDraft};
use contact_hub_domain::property::Property;
use contact_hub_domain::violations::{Problem, Violations};

use super::roles::{label, preset, role_of};
use crate::pages::form::Form;
use crate::pages::form_view::FormView;

/// The permissions to choose from.
pub(super) fn permissions() -> [(&'static str, &'static str); 5] {
    Permission::ALL.map(|permission| (permission.as_str(), label(permission)))
}

/// The change that the form describes: what was edited in it.
pub(super) fn change(form: &Form) -> UserDraft {
    let UserDraft { email, permissions } = draft(form);
    let is_edited = form.is_edited("role") || form.is_edited("permissions");
    UserDraft {
        email: if form.is_edited("email") { email } else { Property::Absent },
        permissions: if is_edited { permissions } else { Property::Absent },
    }
}

/// The user that the form describes. A role is a name for its permissions.
pub(super) fn draft(form: &Form) -> UserDraft {
    let permissions = match preset(form.text("role")) {
        Some(permissions) => {
            permissions.iter().map(|permission| Property::from(permission.as_str())).collect()
        }
        None => form.list("permissions"),
    };
    UserDraft { email: form.clearing("email"), permissions }
}

/// The form filled with a user.
pub(super) fn filled(user: &User) -> FormView {
    let mut values = vec![
        ("email".to_owned(), user.email.as_str().to_owned()),
        ("role".to_owned(), role_of(user.permissions).to_owned()),
    ];
    let permissions = user.permissions.iter();
    values.extend(permissions.map(|it| ("permissions".to_owned(), it.as_str().to_owned())));
    FormView::of(values)
}

/// The error of a form that neither has a role nor permissions.
pub(super) fn without_role(form: &Form) -> Option<Violations> {
    let has_any = !form.text("role").is_empty() || form.all("permissions").next().is_some();
    (!has_any).then(|| Violations::one("role", Problem::new("is required")))
}
