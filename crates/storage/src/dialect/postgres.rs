//! PostgreSQL's statements. They unnest arrays, so that their text does not depend on the number of rows.

use crate::columns::{IdValue, JsonValue, MomentValue};
use crate::connection::Connection;
use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::contacts::{AvatarUrl, Contact};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::time::Timestamp;

use super::contact_columns::{WRITTEN, assignments};
use crate::contacts::{COLUMNS, ContactRow, RowOfCompany, ValueUse, encode};
use crate::failure::Failure;
use crate::statement::{Statement, statement};

/// The advisory lock under which the first company is made: the letters "boot".
const BOOTSTRAP_LOCK: i64 = 0x626f_6f74;

pub(super) fn lock_bootstrap(connection: &mut Connection) -> Result<(), Failure> {
    connection.execute(statement("SELECT pg_advisory_xact_lock(?)").bind(BOOTSTRAP_LOCK))?;
    Ok(())
}

pub(super) fn change_value_uses(
    connection: &mut Connection,
    changes: &[ValueUse],
) -> Result<(), Failure> {
    let falls = changes.iter().any(|change| change.delta < 0);
    let fields: Vec<IdValue> = changes.iter().map(|change| IdValue(change.field.uuid())).collect();
    let keys: Vec<Vec<u8>> = changes.iter().map(|change| change.sort_key.clone()).collect();
    let identities: Vec<Vec<u8>> = changes.iter().map(|change| change.identity.clone()).collect();
    let upsert = "INSERT INTO field_value_uses AS known (field_id, sort_key, identity, sort_rest, value, uses) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?) \
         ON CONFLICT (field_id, sort_key, identity) DO UPDATE SET uses = known.uses + excluded.uses";
    let (rests, values): (Vec<_>, Vec<_>) = changes
        .iter()
        .map(|change| (change.sort_rest.clone(), JsonValue(change.value.clone())))
        .unzip();
    let deltas: Vec<i64> = changes.iter().map(|change| change.delta).collect();
    connection.execute(
        statement(upsert)
            .bind(fields.clone())
            .bind(keys.clone())
            .bind(identities.clone())
            .bind(rests)
            .bind(values)
            .bind(deltas),
    )?;
    if falls {
        let delete = "DELETE FROM field_value_uses WHERE uses <= 0 AND (field_id, sort_key, identity) IN \
             (SELECT * FROM unnest(?, ?, ?))";
        connection.execute(statement(delete).bind(fields).bind(keys).bind(identities))?;
    }
    Ok(())
}

pub(super) fn read_contacts(
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<Vec<(CompanyId, ContactRow)>, Failure> {
    let text = format!(
        "SELECT {COLUMNS}, company_id FROM unnest(?, ?) AS asked (of_company, of_id) \
         JOIN contacts ON id = of_id AND company_id = of_company WHERE deleted_at IS NULL"
    );
    let (companies, ids): (Vec<_>, Vec<_>) =
        asked.iter().map(|(company, id)| (IdValue(company.uuid()), IdValue(id.uuid()))).unzip();
    let rows: Vec<RowOfCompany> = connection.rows(statement(text).bind(companies).bind(ids))?;
    Ok(rows.into_iter().map(RowOfCompany::into_pair).collect())
}

pub(super) fn lock_by_identities(
    connection: &mut Connection,
    company: CompanyId,
    identities: Vec<String>,
) -> Result<Vec<ContactRow>, Failure> {
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE company_id = ? AND email_identity = ANY(?) \
         ORDER BY id FOR UPDATE"
    );
    let identities: Vec<Option<String>> = identities.into_iter().map(Some).collect();
    Ok(connection.rows(statement(text).bind(company).bind(identities))?)
}

pub(super) fn lock_by_ids(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
) -> Result<Vec<ContactRow>, Failure> {
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE company_id = ? AND id = ANY(?) AND deleted_at IS NULL \
         ORDER BY id FOR UPDATE"
    );
    Ok(connection.rows(statement(text).bind(company).bind(id_array(ids)))?)
}

pub(super) fn mark_deleted(
    connection: &mut Connection,
    company: CompanyId,
    ids: &[ContactId],
    at: Timestamp,
) -> Result<(), Failure> {
    let text = "UPDATE contacts SET deleted_at = ? WHERE company_id = ? AND id = ANY(?)";
    connection.execute(statement(text).bind(at).bind(company).bind(id_array(ids)))?;
    Ok(())
}

fn id_array(ids: &[ContactId]) -> Vec<IdValue> {
    ids.iter().map(|id| IdValue(id.uuid())).collect()
}

pub(super) fn insert_contacts(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<usize, Failure> {
    let columns = WRITTEN.join(", ");
    let text = format!(
        "INSERT INTO contacts ({columns}) SELECT *, ? FROM unnest({UNNESTED}) \
         ON CONFLICT (company_id, email_identity) DO NOTHING"
    );
    Ok(connection.execute(bind_arrays(statement(text).bind(company), contacts))?)
}

pub(super) fn update_contacts(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[&Contact],
) -> Result<(), Failure> {
    let [columns @ .., _company] = WRITTEN;
    let text = format!(
        "UPDATE contacts SET deleted_at = NULL, {} FROM unnest({UNNESTED}) AS source ({}) \
         WHERE contacts.id = source.id AND contacts.company_id = ?",
        assignments(),
        columns.join(", ")
    );
    connection.execute(bind_arrays(statement(text), contacts).bind(company))?;
    Ok(())
}

/// One array for each written column but the company.
const UNNESTED: &str = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

fn bind_arrays(statement: Statement, contacts: &[&Contact]) -> Statement {
    let texts = |text: fn(&Contact) -> String| -> Vec<Option<String>> {
        contacts.iter().map(|contact| Some(text(contact))).collect()
    };
    let moments = |moment: fn(&Contact) -> Timestamp| -> Vec<Option<MomentValue>> {
        contacts.iter().map(|contact| Some(MomentValue(moment(contact)))).collect()
    };
    let avatar =
        |contact: &&Contact| contact.avatar_url.as_ref().map(AvatarUrl::as_str).map(str::to_owned);
    statement
        .bind(contacts.iter().map(|contact| IdValue(contact.id.uuid())).collect::<Vec<_>>())
        .bind(texts(|contact| contact.email.identity().to_owned()))
        .bind(texts(|contact| contact.email.as_str().to_owned()))
        .bind(texts(|contact| contact.email.folded()))
        .bind(texts(|contact| contact.first_name.as_str().to_owned()))
        .bind(texts(|contact| contact.first_name.folded()))
        .bind(texts(|contact| contact.last_name.as_str().to_owned()))
        .bind(texts(|contact| contact.last_name.folded()))
        .bind(contacts.iter().map(avatar).collect::<Vec<_>>())
        .bind(contacts.iter().map(|contact| encode(&contact.field_values)).collect::<Vec<_>>())
        .bind(moments(|contact| contact.created_at))
        .bind(moments(|contact| contact.updated_at))
}

#[derive(QueryableByName)]
struct PlanLine {
    #[diesel(column_name = "QUERY PLAN", sql_type = Text)]
    line: String,
}

pub(super) fn explain(
    connection: &mut Connection,
    statement: Statement,
) -> Result<Vec<String>, Failure> {
    let lines: Vec<PlanLine> = connection.rows(statement.prefixed("EXPLAIN "))?;
    Ok(lines.into_iter().map(|line| line.line).collect())
}
