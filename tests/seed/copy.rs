//! The quick way into PostgreSQL: COPY into tables without indexes, which are created again afterwards. Folded texts,
//! identities and sort keys come from the domain, as in the service.

use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use contact_hub_domain::contacts::{AvatarUrl, Contact};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::input::Input;
use diesel::PgConnection;
use diesel::connection::SimpleConnection as _;
use diesel::prelude::{
    Connection as _, ExecuteCopyFromDsl as _, QueryableByName, RunQueryDsl as _,
};
use diesel::result::Error;
use diesel::sql_types::Text;

diesel::table! {
    contacts (id) {
        id -> Uuid,
        company_id -> Uuid,
        email -> Text,
        email_identity -> Text,
        email_folded -> Text,
        first_name -> Text,
        first_name_folded -> Text,
        last_name -> Text,
        last_name_folded -> Text,
        avatar_url -> Nullable<Text>,
        field_values -> Text,
        created_at -> Text,
        updated_at -> Text,
    }
}

diesel::table! {
    field_value_uses (company_id, field_id, sort_key, identity) {
        company_id -> Uuid,
        field_id -> Uuid,
        sort_key -> Binary,
        identity -> Binary,
        sort_rest -> Binary,
        value -> Text,
        uses -> BigInt,
    }
}

diesel::table! {
    text_counts (company_id, text) {
        company_id -> Uuid,
        text -> Text,
        contacts -> BigInt,
    }
}

diesel::table! {
    indexed_values (company_id, contact_id, field_id) {
        company_id -> Uuid,
        contact_id -> Uuid,
        field_id -> Uuid,
        sort_key -> Binary,
        sort_rest -> Binary,
        contact_created_at -> Text,
    }
}

/// The longest sort key that the service does not divide.
const SHORT_KEY: usize = 512;

/// How many rows one COPY writes.
const BATCH: usize = 10_000;

/// The statements that remove, and those that restore, the indexes and constraints of the contacts and indexed values.
const PARTS: &str = "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove, \
     format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS restore \
     FROM pg_constraint WHERE conrelid IN ('contacts'::regclass, 'indexed_values'::regclass) AND contype IN ('p', 'u', 'f') \
     UNION ALL SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid) FROM pg_index \
     WHERE indrelid IN ('contacts'::regclass, 'indexed_values'::regclass) \
     AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)";

/// Divides the values of new fields into blocks; values with the same key have the same rank.
const BLOCKS: &str = "INSERT INTO field_value_blocks \
     SELECT company_id, field_id, CASE WHEN block = 0 THEN '\\x' ELSE sort_key END, number, uses FROM ( \
     SELECT DISTINCT ON (field_id, block) field_id, block, sort_key, count(*) OVER (PARTITION BY field_id, block) AS number, \
     CAST(sum(uses) OVER (PARTITION BY field_id, block) AS bigint) AS uses \
     FROM (SELECT field_id, sort_key, uses, (rank() OVER (PARTITION BY field_id ORDER BY sort_key) - 1) / 1000 AS block \
     FROM field_value_uses) AS ranked ORDER BY field_id, block, sort_key) AS blocks JOIN fields ON fields.id = field_id";

#[derive(QueryableByName)]
struct Part {
    #[diesel(sql_type = Text)]
    remove: String,
    #[diesel(sql_type = Text)]
    restore: String,
}

/// A value as JSON, and how many contacts have it, for each field and sort key.
type Uses = HashMap<(FieldId, Vec<u8>), (String, u64)>;

/// How many contacts have a counted text.
type Texts = HashMap<String, u64>;

/// What is copied beside the contacts.
pub(crate) struct Copied<'a> {
    pub(crate) company: CompanyId,
    pub(crate) directory: &'a Directory,
    /// Whether contacts can be filtered by the values of all fields.
    pub(crate) are_filterable: bool,
}

/// Copies the contacts of a new company. `done` is called with the number of each batch.
pub(crate) fn copy(
    url: &str,
    copied: &Copied<'_>,
    contacts: impl Iterator<Item = Result<Contact>>,
    done: impl Fn(u64),
) -> Result<()> {
    let mut connection = PgConnection::establish(url)?;
    let parts: Vec<Part> = diesel::sql_query(PARTS).load(&mut connection)?;
    for part in &parts {
        connection.batch_execute(&part.remove)?;
    }
    let Copied { company, directory, are_filterable } = *copied;
    let (mut uses, mut texts, mut total) = (Uses::new(), Texts::new(), 0);
    let mut contacts = contacts.peekable();
    while contacts.peek().is_some() {
        let (mut rows, mut indexed, mut number) = (String::new(), String::new(), 0);
        for contact in contacts.by_ref().take(BATCH) {
            let contact = contact?;
            if are_filterable {
                add_indexed(&mut indexed, company, &contact, directory)?;
            }
            let values = values(&contact, directory, &mut uses)?;
            contact.count_texts(|text| match texts.get_mut(text) {
                Some(number) => *number += 1,
                None => drop(texts.insert(text.to_owned(), 1)),
            });
            add_row(&mut rows, &cells(company, &contact, values));
            number += 1;
        }
        copy_contacts(&mut connection, &rows)?;
        copy_indexed(&mut connection, &indexed)?;
        total += number;
        done(number);
    }
    copy_uses(&mut connection, company, &uses)?;
    copy_texts(&mut connection, company, &texts)?;
    connection.batch_execute(BLOCKS)?;
    count(&mut connection, copied, total)?;
    connection.batch_execute("SET maintenance_work_mem = '1GB'")?;
    for part in &parts {
        connection.batch_execute(&part.restore)?;
    }
    Ok(connection.batch_execute("VACUUM (ANALYZE)")?)
}

/// Stores the number of contacts, and that their values are indexed if they are.
fn count(connection: &mut PgConnection, copied: &Copied<'_>, total: u64) -> Result<()> {
    let company = copied.company;
    let counted =
        format!("UPDATE contact_counts SET active = {total} WHERE company_id = '{company}'");
    connection.batch_execute(&counted)?;
    if copied.are_filterable {
        let ready =
            format!("UPDATE fields SET index_state = 'ready' WHERE company_id = '{company}'");
        connection.batch_execute(&ready)?;
    }
    Ok(())
}

/// Adds the rows of the values by which a contact can be found.
fn add_indexed(
    rows: &mut String,
    company: CompanyId,
    contact: &Contact,
    directory: &Directory,
) -> Result<()> {
    for (key, value) in &contact.field_values {
        let field = directory.find(key.as_str()).context("a value has no field")?;
        let cells = [
            company.to_string(),
            contact.id.to_string(),
            field.id.to_string(),
            bytes(&value.list_key()),
            bytes(&value.list_rest()),
            contact.created_at.to_text(6),
        ];
        add_row(rows, &cells.map(Some));
    }
    Ok(())
}

/// Counts the values of a contact, and returns them as a JSON document.
fn values(contact: &Contact, directory: &Directory, uses: &mut Uses) -> Result<String> {
    let mut members = Vec::new();
    for (key, value) in &contact.field_values {
        let json = value.to_json();
        members.push(format!("{}:{json}", Input::Text(key.as_str().to_owned()).to_json()));
        let field = directory.find(key.as_str()).context("a value has no field")?;
        let sort_key = value.sort_key();
        ensure!(sort_key.len() <= SHORT_KEY, "a made-up value is too long");
        uses.entry((field.id, sort_key)).or_insert((json, 0)).1 += 1;
    }
    Ok(format!("{{{}}}", members.join(",")))
}

fn cells(company: CompanyId, contact: &Contact, values: String) -> [Option<String>; 13] {
    [
        Some(contact.id.to_string()),
        Some(company.to_string()),
        Some(contact.email.as_str().to_owned()),
        Some(contact.email.identity().to_owned()),
        Some(contact.email.folded()),
        Some(contact.first_name.as_str().to_owned()),
        Some(contact.first_name.folded()),
        Some(contact.last_name.as_str().to_owned()),
        Some(contact.last_name.folded()),
        contact.avatar_url.as_ref().map(AvatarUrl::as_str).map(str::to_owned),
        Some(values),
        Some(contact.created_at.to_text(6)),
        Some(contact.updated_at.to_text(6)),
    ]
}

fn copy_uses(connection: &mut PgConnection, company: CompanyId, uses: &Uses) -> Result<()> {
    let mut rows = String::new();
    for ((field, sort_key), (value, uses)) in uses {
        let cells = [
            company.to_string(),
            field.to_string(),
            bytes(sort_key),
            bytes(&[]),
            bytes(&[]),
            value.clone(),
            uses.to_string(),
        ];
        add_row(&mut rows, &cells.map(Some));
    }
    diesel::copy_from(field_value_uses::table)
        .from_raw_data(field_value_uses::table, |copy| written(copy.write_all(rows.as_bytes())))
        .execute(connection)?;
    Ok(())
}

fn copy_texts(connection: &mut PgConnection, company: CompanyId, texts: &Texts) -> Result<()> {
    let mut rows = String::new();
    for (text, contacts) in texts {
        let cells = [company.to_string(), text.clone(), contacts.to_string()];
        add_row(&mut rows, &cells.map(Some));
    }
    diesel::copy_from(text_counts::table)
        .from_raw_data(text_counts::table, |copy| written(copy.write_all(rows.as_bytes())))
        .execute(connection)?;
    Ok(())
}

fn copy_contacts(connection: &mut PgConnection, rows: &str) -> Result<()> {
    diesel::copy_from(contacts::table)
        .from_raw_data(contacts::table, |copy| written(copy.write_all(rows.as_bytes())))
        .execute(connection)?;
    Ok(())
}

fn copy_indexed(connection: &mut PgConnection, rows: &str) -> Result<()> {
    diesel::copy_from(indexed_values::table)
        .from_raw_data(indexed_values::table, |copy| written(copy.write_all(rows.as_bytes())))
        .execute(connection)?;
    Ok(())
}

/// In the format of `bytea`.
fn bytes(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("\\x"), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}

fn written(outcome: std::io::Result<()>) -> Result<(), Error> {
    outcome.map_err(|error| Error::SerializationError(Box::new(error)))
}

/// Adds a row in the text format of COPY.
fn add_row(rows: &mut String, cells: &[Option<String>]) {
    for (place, cell) in cells.iter().enumerate() {
        if place > 0 {
            rows.push('\t');
        }
        match cell {
            None => rows.push_str("\\N"),
            Some(text) => rows.extend(text.chars().flat_map(escaped)),
        }
    }
    rows.push('\n');
}

fn escaped(character: char) -> impl Iterator<Item = char> {
    let (escape, character) = match character {
        '\\' => (Some('\\'), '\\'),
        '\t' => (Some('\\'), 't'),
        '\n' => (Some('\\'), 'n'),
        '\r' => (Some('\\'), 'r'),
        other => (None, other),
    };
    escape.into_iter().chain([character])
}
