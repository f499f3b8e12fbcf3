//! Change a field.

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::fields::{ChangeFieldOutcome, Field, FieldChange, FieldLimits};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::time::Timestamp;

use super::index_state::IndexState;
use super::load::{index_state, rows};
use super::rows::FieldRow;
use crate::Storage;
use crate::connection::Connection;
use crate::dialect::execute_together;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::lock_own_company;
use crate::statement::statement;
use crate::two_phases::commit_in_two_phases;
use crate::{audit, changes};

/// The lock on the company's row serialises changes with each other and with the creation of fields. The task that
/// builds indexes changes states too, but each only from one that no client asks for.
pub(super) fn change(
    storage: &Storage,
    connection: &mut Connection,
    by: &Author,
    id: FieldId,
    change: &FieldChange,
    limits: FieldLimits,
    at: Timestamp,
) -> Result<Recorded<ChangeFieldOutcome>, Failure> {
    let company = by.company;
    lock_own_company(connection, company)?;
    let rows = rows(connection, company)?;
    let before = index_state(&rows, id)?;
    let fields = rows.into_iter().map(FieldRow::into_field).collect::<Result<Vec<_>, _>>()?;
    let outcome = change.decide(&fields, id, limits);
    let earlier = fields.iter().find(|field| field.id == id);
    let (ChangeFieldOutcome::Changed(field), Some(earlier)) = (&outcome, earlier) else {
        return Ok(Recorded::unchanged(outcome));
    };
    commit_in_two_phases(storage, connection)?;
    update(connection, company, field)?;
    let entries = NewEntry::field_updated(by, earlier, field, at);
    let change = changes::insertion(connection, company, entries.as_slice());
    let (change, published) = change.unzip();
    let entry = NewAuditEntry::of(by, AuditAction::FieldUpdated, id.uuid(), at);
    let entry = entry.with_changes(earlier, field);
    let entry = published.is_some().then(|| audit::insertion(connection, &entry).0);
    execute_together(connection, change.into_iter().chain(entry))?;
    let after = before.wanted(field.filterable);
    if after != before {
        set_state(connection, company, id, after)?;
    }
    Ok(Recorded::by(published, outcome))
}

fn update(connection: &mut Connection, company: CompanyId, field: &Field) -> Result<(), Failure> {
    let text = "UPDATE fields SET name = ?, archived = ? WHERE id = ? AND company_id = ?";
    let update = statement(text).bind(field.name.as_str()).bind(field.archived);
    connection.execute(update.bind(field.id).bind(company))?;
    Ok(())
}

/// Sets the state of a field's index, of which nothing is built.
pub(crate) fn set_state(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    state: IndexState,
) -> Result<(), Failure> {
    let text = "UPDATE fields SET index_state = ?, index_version = index_version + 1, indexed_at = NULL, indexed_to = NULL \
         WHERE id = ? AND company_id = ?";
    let update = statement(text).bind(state.as_str()).bind(field).bind(company);
    connection.execute(update)?;
    Ok(())
}
