//! A row of `contacts`.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, Text};

use contact_hub_domain::contacts::{AvatarUrl, Contact, PersonName};
use contact_hub_domain::email::Email;
use contact_hub_domain::fields::FieldValues;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};

pub(super) const COLUMNS: &str = "id, email, first_name, last_name, avatar_url, field_values, created_at, \
     updated_at, deleted_at IS NOT NULL AS is_deleted";

#[derive(QueryableByName)]
pub(super) struct ContactRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Text)]
    first_name: String,
    #[diesel(sql_type = Text)]
    last_name: String,
    #[diesel(sql_type = Nullable<Text>)]
    avatar_url: Option<String>,
    #[diesel(sql_type = Json)]
    pub(super) field_values: JsonValue,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    updated_at: MomentValue,
    #[diesel(sql_type = Bool)]
    pub(super) is_deleted: bool,
}

/// A row with its company.
#[derive(QueryableByName)]
pub(super) struct RowOfCompany {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(embed)]
    contact: ContactRow,
}

impl RowOfCompany {
    pub(super) fn into_pair(self) -> (CompanyId, ContactRow) {
        (CompanyId::new(self.company_id.0), self.contact)
    }
}

impl ContactRow {
    pub(super) const fn id(&self) -> ContactId {
        ContactId::new(self.id.0)
    }

    pub(super) fn email_identity(&self) -> String {
        Email::from_stored(self.email.clone()).identity().to_owned()
    }

    /// The time of the last change, which is the contact's version.
    pub(super) const fn version(&self) -> Timestamp {
        self.updated_at.0
    }

    pub(super) fn email(&self) -> &str {
        &self.email
    }

    pub(super) fn into_contact(self, field_values: FieldValues) -> Contact {
        Contact {
            id: self.id(),
            email: Email::from_stored(self.email),
            first_name: PersonName::from_stored(self.first_name),
            last_name: PersonName::from_stored(self.last_name),
            avatar_url: self.avatar_url.map(AvatarUrl::from_stored),
            field_values,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        }
    }
}
