//! The numbers of active contacts of which a searched text begins with a character.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::dialect::{Source, portions};
use crate::failure::Failure;
use crate::paged::TotalRow;
use crate::statement::{sql, statement};

/// Changes of these numbers.
#[derive(Default)]
pub(super) struct Beginnings(BTreeMap<char, i64>);

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    beginning: String,
    #[diesel(sql_type = BigInt)]
    contacts: i64,
}

#[derive(QueryableByName)]
struct Document {
    #[diesel(sql_type = Text)]
    beginnings: String,
}

impl Beginnings {
    pub(super) fn add(&mut self, contact: &Contact, delta: i64) {
        for beginning in contact.beginnings() {
            self.change(beginning, delta);
        }
    }

    fn change(&mut self, beginning: char, delta: i64) {
        let sum = self.0.entry(beginning).or_default();
        *sum += delta;
        if *sum == 0 {
            self.0.remove(&beginning);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The changes as a JSON object.
    pub(super) fn encode(&self) -> Result<String, Failure> {
        serde_json::to_string(&self.0).map_err(|error| Failure::Corrupt(error.to_string()))
    }

    /// Adds the changes of a JSON object.
    pub(super) fn decode(&mut self, document: &str) -> Result<(), Failure> {
        let corrupt = |_error| Failure::Corrupt("count_changes.beginnings".to_owned());
        let changes: BTreeMap<char, i64> = serde_json::from_str(document).map_err(corrupt)?;
        for (beginning, delta) in changes {
            self.change(beginning, delta);
        }
        Ok(())
    }

    /// Adds the changes to the numbers, and removes those that fell to zero.
    pub(super) fn apply(
        self,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<(), Failure> {
        let changes: Vec<(char, i64)> = self.0.into_iter().collect();
        for changes in portions(connection, &changes) {
            let source = Source::of(changes)
                .texts("beginning", |(beginning, _)| beginning.to_string())
                .ints("contacts", |(_, delta)| *delta);
            // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
            let upsert = sql!(
                "INSERT INTO contact_beginnings AS known (company_id, {columns}) SELECT ?, {columns} FROM {table} \
                 WHERE true ON CONFLICT (company_id, beginning) \
                 DO UPDATE SET contacts = known.contacts + excluded.contacts",
                columns = source.names(),
                table = source.table(connection),
            );
            connection.execute(upsert.bind(company))?;
        }
        let fallen: Vec<(char, i64)> =
            changes.into_iter().filter(|(_, delta)| *delta < 0).collect();
        for fallen in portions(connection, &fallen) {
            let fallen =
                Source::of(fallen).texts("beginning", |(beginning, _)| beginning.to_string());
            let delete = sql!(
                "DELETE FROM contact_beginnings WHERE company_id = ? AND contacts <= 0 \
                 AND beginning IN (SELECT beginning FROM {})",
                fallen.table(connection),
            );
            connection.execute(delete.bind(company))?;
        }
        Ok(())
    }
}

/// The number of the company's active contacts of which a searched text begins with the character.
pub(crate) fn contacts_beginning(
    connection: &mut Connection,
    company: CompanyId,
    beginning: char,
) -> Result<u64, Failure> {
    let applied =
        "SELECT contacts AS total FROM contact_beginnings WHERE company_id = ? AND beginning = ?";
    let applied = statement(applied).bind(company).bind(beginning.to_string());
    let applied = connection.first::<TotalRow>(applied)?.map_or(0, |row| row.total);
    let changes = pending(connection, company)?;
    let change = changes.0.get(&beginning).copied().unwrap_or_default();
    Ok(u64::try_from(applied + change).unwrap_or_default())
}

/// All numbers of the company that are not 0, by the character.
pub(crate) fn kept_beginnings(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<BTreeMap<char, i64>, Failure> {
    let mut numbers = pending(connection, company)?;
    let applied = "SELECT beginning, contacts FROM contact_beginnings WHERE company_id = ?";
    let applied: Vec<Applied> = connection.rows(statement(applied).bind(company))?;
    for row in applied {
        let mut characters = row.beginning.chars();
        let (Some(beginning), None) = (characters.next(), characters.next()) else {
            return Err(Failure::Corrupt("contact_beginnings.beginning".to_owned()));
        };
        numbers.change(beginning, row.contacts);
    }
    Ok(numbers.0)
}

/// The changes that are not yet applied.
fn pending(connection: &mut Connection, company: CompanyId) -> Result<Beginnings, Failure> {
    let select = statement("SELECT beginnings FROM count_changes WHERE company_id = ?");
    let documents: Vec<Document> = connection.rows(select.bind(company))?;
    let mut changes = Beginnings::default();
    for document in documents {
        changes.decode(&document.beginnings)?;
    }
    Ok(changes)
}
