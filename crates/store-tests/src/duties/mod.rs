//! Duties of an adapter that random writes do not show, each in a company of its own.

mod companies;
mod fields;
mod sizes;
mod versions;

use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{self, Contact, ContactDraft};
use contact_hub_domain::context::{ContactPorts, Context};
use contact_hub_domain::fields::{Field, FieldDraft, FieldsError};
use contact_hub_domain::input::Input;
use contact_hub_domain::limits::Limits;

use crate::{Harness, Subject};

type Cx<'a> = Context<'a, ContactPorts>;

/// Checks every duty.
pub(crate) fn check(harness: &impl Harness) {
    let limits = Limits::default();
    in_a_company(harness, limits, versions::a_write_at_another_version_changes_nothing);
    in_a_company(harness, limits, versions::what_changes_nothing_keeps_the_version);
    in_a_company(harness, limits, versions::a_restore_is_another_version_of_the_contact);
    in_a_company(harness, limits, fields::a_key_is_taken_forever);
    in_a_company(harness, limits, fields::a_changed_field_is_stored);
    in_a_company(harness, fields::FEW, fields::limits_hold);
    in_a_company(harness, limits, sizes::look_ups_are_bounded);
    in_a_company(harness, limits, sizes::pages_are_bounded);
    in_a_company(harness, limits, sizes::parts_are_bounded);
    let (one, other) = (harness.subject(), harness.subject());
    harness.block_on(Box::pin(companies::nothing_of_another_company_is_found(one, other)));
}

fn in_a_company(harness: &impl Harness, limits: Limits, duty: impl AsyncFnOnce(&Cx<'_>)) {
    let mut subject = harness.subject();
    subject.ports.environment.limits = limits;
    harness.block_on(Box::pin(async move {
        let Subject { ports, caller, .. } = &subject;
        duty(&Context { ports, caller, call: &Call::default() }).await;
    }));
}

/// The input for a contact with at most one value.
fn draft(email: &str, value: Option<(&str, &str)>) -> ContactDraft {
    let values = value.map(|(key, text)| (key.to_owned(), Input::from(text)));
    ContactDraft {
        email: email.into(),
        first_name: "First".into(),
        last_name: "Last".into(),
        field_values: values.into_iter().collect(),
        ..ContactDraft::default()
    }
}

async fn contact(cx: &Cx<'_>, email: &str, value: Option<(&str, &str)>) -> Contact {
    let created = contacts::create(cx, &draft(email, value)).await;
    created.expect("it is created").contact().clone()
}

/// Creates a field for texts.
async fn field(cx: &Cx<'_>, name: &str, filterable: bool) -> Result<Field, FieldsError> {
    let filterable = Input::Bool(filterable).into();
    let draft = FieldDraft { name: name.into(), r#type: "string".into(), filterable };
    contact_hub_domain::fields::create(cx, &draft).await
}
