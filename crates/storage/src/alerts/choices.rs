//! Which alerts users get.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};

use contact_hub_domain::alerts::{AlertChoice, AlertChoices, AlertKind};
use contact_hub_domain::ids::{CompanyId, UserId};

use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct ChoiceRow {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Bool)]
    by_email: bool,
    #[diesel(sql_type = Bool)]
    by_webhook: bool,
}

/// What a user chose. Kinds that this program does not know are left out.
pub(super) fn of_user(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
) -> Result<AlertChoices, Failure> {
    let text =
        "SELECT kind, by_email, by_webhook FROM alert_choices WHERE company_id = ? AND user_id = ?";
    let rows: Vec<ChoiceRow> = connection.rows(statement(text).bind(company).bind(user))?;
    let choice = |row: ChoiceRow| {
        let ChoiceRow { by_email, by_webhook, .. } = row;
        Some((AlertKind::parse(&row.kind)?, AlertChoice { by_email, by_webhook }))
    };
    Ok(rows.into_iter().filter_map(choice).collect())
}

/// Stores the choices of a locked user.
pub(super) fn store(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
    choices: &AlertChoices,
) -> Result<(), Failure> {
    let choices: Vec<(AlertKind, AlertChoice)> =
        choices.iter().map(|(kind, choice)| (*kind, *choice)).collect();
    let source = Source::of(&choices)
        .texts("kind", |(kind, _)| kind.as_str().to_owned())
        .ints("by_email", |(_, choice)| i64::from(choice.by_email))
        .ints("by_webhook", |(_, choice)| i64::from(choice.by_webhook));
    let upsert = sql!(
        "INSERT INTO alert_choices (company_id, user_id, kind, by_email, by_webhook) \
         SELECT ?, ?, source.kind, source.by_email = 1, source.by_webhook = 1 FROM {} WHERE true \
         ON CONFLICT (company_id, user_id, kind) DO UPDATE SET by_email = excluded.by_email, \
         by_webhook = excluded.by_webhook",
        source.table(connection)
    );
    connection.execute(upsert.bind(company).bind(user))?;
    Ok(())
}
