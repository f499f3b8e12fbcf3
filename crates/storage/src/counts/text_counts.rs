//! The numbers of active contacts of which a searched text, or a certain one of them, begins with a character, or whose email
//! has a domain.
//!
//! SQLite counts no domains: its index of trigrams has whole addresses.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable, Text};

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::CompanyId;

use super::zero_counts::CountTable;
use crate::Storage;
use crate::connection::Connection;
use crate::dialect::{Source, contains, portions};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql, statement};

/// The counts of texts.
const TEXTS: CountTable = CountTable {
    table: "text_counts",
    count: "contacts",
    is_of_source: "text_counts.text = source.text",
};

/// Numbers, or changes of them, by the [counted text](Contact::count_texts).
#[derive(Default)]
pub(crate) struct TextCounts(BTreeMap<String, i64>);

/// A text with its number, or a JSON object with changes.
#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    text: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    contacts: Option<i64>,
}

impl TextCounts {
    pub(super) fn add_contact(&mut self, contact: &Contact, delta: i64) {
        contact.count_texts(|text| match self.0.get_mut(text) {
            Some(sum) => *sum += delta,
            None => self.add(text.to_owned(), delta),
        });
    }

    fn add(&mut self, text: String, delta: i64) {
        let sum = self.0.entry(text).or_default();
        *sum += delta;
    }

    /// Keeps only the texts that this database counts and the numbers that are not 0.
    pub(super) fn kept_by(mut self, connection: &Connection) -> Self {
        if let Connection::Sqlite(_) = connection {
            self.0.retain(|text, _| !is_domain(text));
        }
        self.0.retain(|_, change| *change != 0);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the numbers of a JSON object.
    pub(super) fn decode(&mut self, document: &str) -> Result<(), Failure> {
        let corrupt = |_error| Failure::Corrupt("count_changes.text_counts".to_owned());
        let changes: BTreeMap<String, i64> = serde_json::from_str(document).map_err(corrupt)?;
        for (text, delta) in changes {
            self.add(text, delta);
        }
        Ok(())
    }

    /// The numbers as a JSON object.
    pub(super) fn encode(&self) -> Result<String, Failure> {
        serde_json::to_string(&self.0).map_err(|error| Failure::Corrupt(error.to_string()))
    }

    /// Adds these changes to the numbers, and removes those that fell to zero.
    pub(super) fn apply(
        self,
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<(), Failure> {
        let changes: Vec<(String, i64)> = self.kept_by(connection).0.into_iter().collect();
        for changes in portions(connection, &changes) {
            let source = Source::of(changes)
                .texts("text", |(text, _)| text.clone())
                .ints("contacts", |(_, delta)| *delta);
            // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
            let upsert = sql!(
                "INSERT INTO text_counts AS known (company_id, {columns}) SELECT ?, {columns} FROM {table} WHERE true \
                 ON CONFLICT (company_id, text) DO UPDATE SET contacts = known.contacts + excluded.contacts",
                columns = source.names(),
                table = source.table(connection),
            );
            connection.execute(upsert.bind(company))?;
        }
        let fallen: Vec<_> = changes.into_iter().filter(|(_, delta)| *delta < 0).collect();
        for fallen in portions(connection, &fallen) {
            let fallen = Source::of(fallen).texts("text", |(text, _)| text.clone());
            TEXTS.delete_zero_counts(storage, connection, company, fallen)?;
        }
        Ok(())
    }

    fn and(mut self, others: Vec<(String, i64)>) -> Self {
        for (text, contacts) in others {
            self.add(text, contacts);
        }
        self
    }

    fn sum(&self) -> u64 {
        u64::try_from(self.0.values().sum::<i64>()).unwrap_or_default()
    }

    /// The numbers, by their texts.
    pub(crate) fn into_map(self) -> BTreeMap<String, i64> {
        self.0
    }
}

/// The condition of [`is_domain`], without a range that would lead PostgreSQL away from the index of trigrams.
pub(crate) const IS_DOMAIN: &str = "substr(text, 1, 1) = '@' AND length(text) > 1";

/// Whether a counted text is a domain: an `@` alone is the beginning of a text.
pub(crate) fn is_domain(text: &str) -> bool {
    text.len() > 1 && text.starts_with('@')
}

/// The beginning, if a counted text is one of an attribute.
fn beginning_of<'a>(text: &'a str, attribute: &str) -> Option<&'a str> {
    text.strip_prefix(attribute)?.strip_prefix(':')
}

/// The character that follows a colon, so that texts with a colon are before one with it.
const AFTER_COLON: char = ';';

/// Which texts are asked for.
#[derive(Clone, Copy)]
enum Texts<'a> {
    One(&'a str),
    /// The domains that contain a part.
    DomainsWith(&'a str),
    /// Those of the beginnings of an attribute.
    BeginningsOf(&'a str),
}

impl Texts<'_> {
    fn condition(self) -> Statement {
        match self {
            Self::One(text) => statement("text = ?").bind(text),
            Self::DomainsWith(part) => sql!("{} AND {}", IS_DOMAIN, contains("text", part)),
            Self::BeginningsOf(attribute) => {
                let after = format!("{attribute}{AFTER_COLON}");
                statement("text >= ? AND text < ?").bind(format!("{attribute}:")).bind(after)
            }
        }
    }

    fn has(self, text: &str) -> bool {
        match self {
            Self::One(one) => text == one,
            Self::DomainsWith(part) => is_domain(text) && text.contains(part),
            Self::BeginningsOf(attribute) => beginning_of(text, attribute).is_some(),
        }
    }
}

/// Numbers of a company for some texts, in two parts.
struct Read {
    applied: Vec<(String, i64)>,
    /// The changes that are not yet applied.
    pending: TextCounts,
}

/// Reads the numbers for these texts: those of up to `most` texts, and all changes that are not yet applied.
fn read(
    connection: &mut Connection,
    company: CompanyId,
    texts: Texts<'_>,
    most: usize,
) -> Result<Read, Failure> {
    let select = sql!(
        "SELECT applied.* FROM (SELECT text, contacts FROM text_counts WHERE company_id = ? AND {} LIMIT ?) AS applied \
         UNION ALL SELECT text_counts, NULL FROM count_changes WHERE company_id = ?",
        texts.condition(),
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows: Vec<Row> = connection.rows(select.bind(company).bind(most).bind(company))?;
    let mut read = Read { applied: Vec::new(), pending: TextCounts::default() };
    for row in rows {
        match row.contacts {
            Some(contacts) => read.applied.push((row.text, contacts)),
            None => read.pending.decode(&row.text)?,
        }
    }
    read.pending.0.retain(|text, _| texts.has(text));
    Ok(read)
}

/// The changes of a company that are not yet applied.
pub(crate) fn pending_texts(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<TextCounts, Failure> {
    let select =
        "SELECT text_counts AS text, NULL AS contacts FROM count_changes WHERE company_id = ?";
    let rows: Vec<Row> = connection.rows(statement(select).bind(company))?;
    let mut pending = TextCounts::default();
    for row in rows {
        pending.decode(&row.text)?;
    }
    Ok(pending)
}

/// The domains of a company that contain a text.
pub(crate) struct Domains {
    /// `None` if they are too many.
    pub(crate) names: Option<Vec<String>>,
    /// How many active contacts have one of them.
    pub(crate) contacts: u64,
}

/// The domains that contain the part, with their `@`, by name if there are at most this many.
pub(crate) fn domains_containing(
    connection: &mut Connection,
    company: CompanyId,
    part: &str,
    most: usize,
) -> Result<Domains, Failure> {
    let texts = Texts::DomainsWith(part);
    let Read { applied, pending } = read(connection, company, texts, most.saturating_add(1))?;
    // Changes can leave fewer than were read, but not those that were not.
    if applied.len() <= most {
        let counts = pending.and(applied).kept_by(connection);
        let contacts = counts.sum();
        let names = counts.0.into_keys().collect::<Vec<_>>();
        return Ok(Domains { names: Some(names).filter(|names| names.len() <= most), contacts });
    }
    let select = sql!(
        "SELECT CAST(coalesce(sum(contacts), 0) AS bigint) AS total FROM text_counts WHERE company_id = ? AND {}",
        texts.condition(),
    );
    let all = total(connection, select.bind(company))? + pending.0.into_values().sum::<i64>();
    Ok(Domains { names: None, contacts: u64::try_from(all).unwrap_or_default() })
}

/// The number of the company's active contacts of which a searched text begins with the character.
pub(crate) fn contacts_beginning(
    connection: &mut Connection,
    company: CompanyId,
    beginning: char,
) -> Result<u64, Failure> {
    let beginning = beginning.to_string();
    let Read { applied, pending } = read(connection, company, Texts::One(&beginning), 1)?;
    Ok(pending.and(applied).sum())
}

/// The numbers of the company's active contacts by the character with which an attribute begins, in the order of the
/// attribute; `None` if there are more than this many.
pub(crate) fn contacts_by_beginning(
    connection: &mut Connection,
    company: CompanyId,
    attribute: &str,
    most: usize,
) -> Result<Option<Vec<(String, u64)>>, Failure> {
    let texts = Texts::BeginningsOf(attribute);
    let Read { applied, pending } = read(connection, company, texts, most.saturating_add(1))?;
    if applied.len() > most {
        return Ok(None);
    }
    let counts = pending.and(applied).0.into_iter().filter_map(|(text, contacts)| {
        let contacts = u64::try_from(contacts).ok().filter(|contacts| *contacts > 0)?;
        Some((beginning_of(&text, attribute)?.to_owned(), contacts))
    });
    Ok(Some(counts.collect()))
}
