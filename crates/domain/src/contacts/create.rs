//! Create a contact, or restore a deleted one with the same email.

use std::sync::Arc;

use super::validate::{still_permitted, validate};
use super::{Contact, ContactDraft, ContactsError, CreateContactOutcome, NewContact};
use crate::context::{ContactPorts, Context};
use crate::fields::Directory;
use crate::ids::ContactId;

/// The contact that a create returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreatedContact {
    /// It is new.
    Created(Contact),
    /// A deleted contact with the email, which is active again.
    Restored(Contact),
}

impl CreatedContact {
    /// The contact as it is now.
    #[must_use]
    pub const fn contact(&self) -> &Contact {
        match self {
            Self::Created(contact) | Self::Restored(contact) => contact,
        }
    }
}

/// Creates a contact; a deleted contact with the email's identity is restored and updated instead.
///
/// Errors have this precedence: an invalid request, a domain that is not allowed, an active contact with the email.
pub async fn create(
    cx: &Context<'_, ContactPorts>,
    draft: &ContactDraft,
) -> Result<CreatedContact, ContactsError> {
    create_with_fields(cx, draft).await.map(|(created, _)| created)
}

/// Creates a contact as [`create`] does. Returns also the fields of the company, which were read before the contact was
/// written.
pub async fn create_with_fields(
    cx: &Context<'_, ContactPorts>,
    draft: &ContactDraft,
) -> Result<(CreatedContact, Arc<Directory>), ContactsError> {
    let (input, directory) = validate(cx, draft).await?;
    let id = ContactId::new(cx.ports.environment.ids.next());
    let new = NewContact { id, input, at: cx.ports.environment.clock.now() };
    let store = &cx.ports.contacts;
    let mut outcome = store.create(cx.author(), new.clone()).await?;
    if outcome == CreateContactOutcome::EmailBlocked {
        still_permitted(cx, &new.input.email).await?;
        outcome = store.create(cx.author(), new).await?;
    }
    match outcome {
        CreateContactOutcome::Created(contact) => Ok((CreatedContact::Created(contact), directory)),
        CreateContactOutcome::Restored(contact) => {
            Ok((CreatedContact::Restored(contact), directory))
        }
        CreateContactOutcome::EmailTaken(holder) => Err(ContactsError::AlreadyExists(holder)),
        CreateContactOutcome::EmailBlocked => Err(ContactsError::Erased),
    }
}
