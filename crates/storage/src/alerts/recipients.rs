//! The users who may get alerts.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, SmallInt, Text};

use contact_hub_domain::access::Permissions;
use contact_hub_domain::alerts::{AlertChoice, AlertKind, NewAlert, Recipient, Recipients};
use contact_hub_domain::ids::{CompanyId, UserId};

use crate::access::is_person;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct UserRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Bool)]
    product_access: bool,
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = SmallInt)]
    permissions: i16,
    #[diesel(sql_type = Bool)]
    is_person: bool,
    #[diesel(sql_type = Nullable<Bool>)]
    by_email: Option<bool>,
    #[diesel(sql_type = Nullable<Bool>)]
    by_webhook: Option<bool>,
}

impl UserRow {
    fn recipient(&self) -> Recipient {
        let choice = self.by_email.zip(self.by_webhook);
        Recipient {
            user: UserId::new(self.id.0),
            permissions: Permissions::from_bits(self.permissions),
            is_person: self.is_person,
            choice: choice.map(|(by_email, by_webhook)| AlertChoice { by_email, by_webhook }),
        }
    }
}

/// The users of the companies of some alerts, with what they chose for each kind.
pub(super) struct Audience {
    /// With the company's product access.
    known: BTreeMap<(CompanyId, AlertKind), (bool, Vec<Recipient>)>,
}

impl Audience {
    /// Reads them. The limit on the users of a company bounds how many rows are read for a company.
    pub(super) fn of(connection: &mut Connection, alerts: &[NewAlert]) -> Result<Self, Failure> {
        let mut kinds: Vec<(CompanyId, AlertKind)> =
            alerts.iter().map(|alert| (alert.company, alert.kind)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let source = Source::of(&kinds)
            .ids("company_id", |(company, _)| company.uuid())
            .texts("kind", |(_, kind)| kind.as_str().to_owned());
        let select = sql!(
            "SELECT source.company_id, source.kind, companies.product_access, users.id, users.permissions, \
             alert_choices.by_email, alert_choices.by_webhook, \
             {} AS is_person FROM {} \
             JOIN companies ON companies.id = source.company_id AND companies.deleting_since IS NULL \
             JOIN users ON users.company_id = source.company_id \
             LEFT JOIN alert_choices ON alert_choices.company_id = users.company_id \
             AND alert_choices.user_id = users.id AND alert_choices.kind = source.kind \
             ORDER BY users.created_at, users.id",
            is_person(),
            source.table(connection)
        );
        let rows: Vec<UserRow> = connection.rows(select)?;
        let mut known = BTreeMap::new();
        for row in rows {
            let Some(kind) = AlertKind::parse(&row.kind) else { continue };
            let key = (CompanyId::new(row.company_id.0), kind);
            let (_, users) = known.entry(key).or_insert((row.product_access, Vec::new()));
            users.push(row.recipient());
        }
        Ok(Self { known })
    }

    /// Those who get an alert.
    pub(super) fn of_alert(&self, alert: &NewAlert) -> Recipients {
        let Some((product_access, users)) = self.known.get(&(alert.company, alert.kind)) else {
            return Recipients::default();
        };
        Recipients::of(alert.kind, *product_access, alert.about, users)
    }
}
