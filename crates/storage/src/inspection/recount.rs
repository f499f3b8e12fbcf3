//! Compares the counts that are kept with a recount.
//!
//! The counts of a company are compared in one snapshot, in which contacts are read in batches.

use std::collections::{BTreeMap, BTreeSet};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::{Inspection, describe};
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::counts::{IS_DOMAIN, is_domain, kept_total, pending_texts, pending_totals};
use crate::dialect::begin_snapshot;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::webhooks::delivery_counts;

/// How many contacts a statement reads.
const BATCH: i64 = 10_000;

/// Stands for all domains, which can be as many as contacts, among the other counted texts.
const DOMAINS: &str = "domain";

/// The result of a recount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recount {
    /// How many companies were recounted.
    pub companies: u64,
    /// How many contacts were read.
    pub contacts: u64,
    /// How many counts differ.
    pub different: u64,
    /// The first differences, in words.
    pub differences: Vec<String>,
}

#[derive(QueryableByName)]
struct BatchRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = BigInt)]
    active: i64,
    #[diesel(sql_type = Nullable<Text>)]
    last: Option<String>,
}

#[derive(QueryableByName)]
struct NamedTotal {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

#[derive(QueryableByName)]
struct FieldTotal {
    #[diesel(sql_type = Id)]
    field_id: IdValue,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

#[derive(QueryableByName)]
struct FieldKey {
    #[diesel(sql_type = Id)]
    field_id: IdValue,
    #[diesel(sql_type = Text)]
    key: String,
}

type Totals<K> = BTreeMap<K, i64>;

/// What is counted of the active contacts of a company.
#[derive(Default)]
struct Counted {
    contacts: i64,
    /// By the beginnings of their texts, and those with a domain.
    texts: Totals<String>,
    /// Their values, by the keys of the fields.
    values: Totals<String>,
}

impl Inspection {
    /// Recounts everything, and calls `progress` with the result so far.
    pub fn recount(&mut self, progress: &mut dyn FnMut(&Recount)) -> Result<Recount, StoreError> {
        let mut recount = Recount::default();
        self.look_at_each_company(begin_snapshot, |connection, company| {
            recount.compare_company(connection, company, progress)?;
            recount.companies += 1;
            Ok(())
        })?;
        Ok(recount)
    }
}

impl Recount {
    fn compare_company(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
        progress: &mut dyn FnMut(&Self),
    ) -> Result<(), Failure> {
        let counted = self.read_contacts(connection, company, progress)?;
        let kept = kept_total(connection, company)?;
        self.compare(company, "active contacts", kept, counted.contacts);
        self.compare_texts(connection, company, &counted.texts)?;
        self.compare_values(connection, company, &counted.values)?;
        self.compare_blocks(connection, company)?;
        self.compare_deliveries(connection, company)
    }

    fn compare_texts(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
        counted: &Totals<String>,
    ) -> Result<(), Failure> {
        let kept = kept_texts(connection, company)?;
        let texts: BTreeSet<&String> = kept.keys().chain(counted.keys()).collect();
        for text in texts {
            let what = match text.split_once(':') {
                _ if text == DOMAINS => "contacts with a domain".to_owned(),
                Some((attribute, beginning)) if !attribute.is_empty() => {
                    format!("contacts whose {attribute} begins with {beginning:?}")
                }
                _ => format!("contacts that begin with {text:?}"),
            };
            self.compare(company, &what, of(&kept, text), of(counted, text));
        }
        Ok(())
    }

    /// Values are counted one by one, and in blocks.
    fn compare_values(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
        values: &Totals<String>,
    ) -> Result<(), Failure> {
        let names = field_keys(connection, company)?;
        let fields: BTreeSet<&String> = names.values().chain(values.keys()).collect();
        for (table, place) in [("field_value_uses", ""), ("field_value_blocks", "in the blocks ")] {
            let kept = kept_values(connection, company, table)?;
            let kept = kept.iter().filter_map(|(field, uses)| Some((names.get(field)?, *uses)));
            let by_name: Totals<&String> = kept.collect();
            for field in &fields {
                let what = format!("values {place}of the field {field}");
                self.compare(company, &what, of(&by_name, field), of(values, *field));
            }
        }
        Ok(())
    }

    /// Counts the active contacts, batch by batch.
    fn read_contacts(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
        progress: &mut dyn FnMut(&Self),
    ) -> Result<Counted, Failure> {
        let (mut counted, mut after) = (Counted::default(), String::new());
        loop {
            let batch = "SELECT count(*) AS number, count(CASE WHEN deleted_at IS NULL THEN 1 END) AS active, \
                 max(email_identity) AS last FROM (SELECT email_identity, deleted_at FROM contacts \
                 WHERE company_id = ? AND email_identity > ? ORDER BY email_identity LIMIT ?) AS batch";
            let batch = statement(batch).bind(company).bind(after.as_str()).bind(BATCH);
            let batch: Option<BatchRow> = connection.first(batch)?;
            let Some(BatchRow { number, active: more, last: Some(last) }) = batch else {
                return Ok(counted);
            };
            for row in texts_between(connection, company, &after, &last)? {
                *counted.texts.entry(row.name).or_default() += row.total;
            }
            for row in values_between(connection, company, &after, &last)? {
                *counted.values.entry(row.name).or_default() += row.total;
            }
            counted.contacts += more;
            self.contacts += u64::try_from(number).unwrap_or_default();
            after = last;
            progress(self);
        }
    }

    /// Blocks count the distinct values of a field.
    fn compare_blocks(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<(), Failure> {
        let kept = "SELECT field_id, CAST(sum(number) AS bigint) AS total FROM field_value_blocks \
             WHERE company_id = ? GROUP BY field_id";
        let kept = by_field(connection, statement(kept).bind(company))?;
        let counted = "SELECT field_id, count(*) AS total FROM field_value_uses \
             WHERE company_id = ? GROUP BY field_id";
        let counted = by_field(connection, statement(counted).bind(company))?;
        let fields: BTreeSet<&Uuid> = kept.keys().chain(counted.keys()).collect();
        for field in fields {
            let what = format!("distinct values of the field {field}");
            self.compare(company, &what, of(&kept, field), of(&counted, field));
        }
        Ok(())
    }

    fn compare_deliveries(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<(), Failure> {
        let state =
            "CASE WHEN state IN ('pending', 'in_progress', 'retrying') THEN 'open' ELSE state END";
        let kept = sql!(
            "SELECT {} AS name, CAST(sum(number) AS bigint) AS total FROM {} AS counts WHERE company_id = ? GROUP BY 1",
            state,
            delivery_counts(connection),
        );
        let kept = by_name(connection, kept.bind(company))?;
        let counted = sql!(
            "SELECT {} AS name, count(*) AS total FROM deliveries WHERE company_id = ? GROUP BY 1",
            state
        );
        let counted = by_name(connection, counted.bind(company))?;
        let states: BTreeSet<&String> = kept.keys().chain(counted.keys()).collect();
        for state in states {
            let what = format!("deliveries in the state {state}");
            self.compare(company, &what, of(&kept, state), of(&counted, state));
        }
        Ok(())
    }

    fn compare(&mut self, company: CompanyId, what: &str, kept: i64, counted: i64) {
        if kept == counted {
            return;
        }
        self.different += 1;
        describe(&mut self.differences, || {
            format!("company {company}: {kept} {what} are counted, and there are {counted}")
        });
    }
}

fn of<K: Ord>(totals: &Totals<K>, key: &K) -> i64 {
    totals.get(key).copied().unwrap_or_default()
}

/// The sums of the uses of values, with the changes that are not yet applied.
fn kept_values(
    connection: &mut Connection,
    company: CompanyId,
    table: &'static str,
) -> Result<Totals<Uuid>, Failure> {
    let kept = sql!(
        "SELECT field_id, CAST(sum(uses) AS bigint) AS total FROM {} WHERE company_id = ? GROUP BY field_id",
        table
    );
    let mut kept = by_field(connection, kept.bind(company))?;
    for (field, change) in pending_totals(connection, company)? {
        *kept.entry(field.uuid()).or_default() += change;
    }
    Ok(kept)
}

fn field_keys(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<BTreeMap<Uuid, String>, Failure> {
    let text = "SELECT id AS field_id, key FROM fields WHERE company_id = ?";
    let rows: Vec<FieldKey> = connection.rows(statement(text).bind(company))?;
    Ok(rows.into_iter().map(|row| (row.field_id.0, row.key)).collect())
}

/// The numbers that are kept by the beginnings of texts, and the sum of those by domains.
fn kept_texts(connection: &mut Connection, company: CompanyId) -> Result<Totals<String>, Failure> {
    let kept = sql!(
        "SELECT CASE WHEN {} THEN '{}' ELSE text END AS name, CAST(sum(contacts) AS bigint) AS total \
         FROM text_counts WHERE company_id = ? GROUP BY 1",
        IS_DOMAIN,
        DOMAINS,
    );
    let mut kept = by_name(connection, kept.bind(company))?;
    for (text, change) in pending_texts(connection, company)?.into_map() {
        let name = if is_domain(&text) { DOMAINS.to_owned() } else { text };
        *kept.entry(name).or_default() += change;
    }
    Ok(kept)
}

/// The active contacts of a batch, by the beginnings of their texts, and those with a domain if domains are counted.
fn texts_between(
    connection: &mut Connection,
    company: CompanyId,
    after: &str,
    last: &str,
) -> Result<Vec<NamedTotal>, Failure> {
    let has_domain = match connection {
        Connection::Postgres(_) => "email_folded LIKE '%@%'",
        Connection::Sqlite(_) => "false",
    };
    let select = sql!(
        "WITH batch AS (SELECT id, substr(email_folded, 1, 1) AS email, substr(first_name_folded, 1, 1) AS first_name, \
         substr(last_name_folded, 1, 1) AS last_name, {} AS has_domain FROM contacts \
         WHERE company_id = ? AND email_identity > ? AND email_identity <= ? AND deleted_at IS NULL) \
         SELECT name, count(*) AS total FROM (SELECT id, email AS name FROM batch \
         UNION SELECT id, first_name FROM batch UNION SELECT id, last_name FROM batch \
         UNION SELECT id, 'email:' || email FROM batch UNION SELECT id, 'first_name:' || first_name FROM batch \
         UNION SELECT id, 'last_name:' || last_name FROM batch \
         UNION SELECT id, '{}' FROM batch WHERE has_domain) AS texts WHERE name <> '' GROUP BY name",
        has_domain,
        DOMAINS,
    );
    Ok(connection.rows(select.bind(company).bind(after).bind(last))?)
}

/// The values of the active contacts of a batch, by the keys of their fields.
fn values_between(
    connection: &mut Connection,
    company: CompanyId,
    after: &str,
    last: &str,
) -> Result<Vec<NamedTotal>, Failure> {
    let (column, members) = match connection {
        Connection::Postgres(_) => ("name", "json_object_keys(field_values) AS name"),
        Connection::Sqlite(_) => ("members.key", "json_each(field_values) AS members"),
    };
    let select = sql!(
        "SELECT {column} AS name, count(*) AS total FROM contacts, {members} \
         WHERE company_id = ? AND email_identity > ? AND email_identity <= ? AND deleted_at IS NULL GROUP BY 1",
        column = column,
        members = members,
    );
    Ok(connection.rows(select.bind(company).bind(after).bind(last))?)
}

fn by_field(connection: &mut Connection, select: Statement) -> Result<Totals<Uuid>, Failure> {
    let rows: Vec<FieldTotal> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| (row.field_id.0, row.total)).collect())
}

fn by_name(connection: &mut Connection, select: Statement) -> Result<Totals<String>, Failure> {
    let rows: Vec<NamedTotal> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| (row.name, row.total)).collect())
}
