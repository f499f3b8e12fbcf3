//! Checks that no write reads a whole table, all rows of a company, or one list for each row of another.
//!
//! Every statement that a contract test runs is explained (`contact_hub_storage::record_plans`), on both databases.
//! The plans of those that write or lock are checked against these rules when the test's database is dropped, so a
//! new write is checked as soon as any contract test runs it. Reads of the change feed, the audit and kept answers are
//! checked too: they read an index in its order. Lists have separate plan tests.

use contact_hub_storage::RecordedPlan;

/// Markers of a write or a lock. On SQLite a lock is a plain SELECT of given rows.
const WRITES: [&str; 7] = [
    "INSERT INTO ",
    "UPDATE ",
    "DELETE FROM ",
    " FOR NO KEY UPDATE",
    " FOR SHARE",
    "json_each(",
    "jsonb_each(",
];

/// Writes that scan an index by design, identified by their first words. Claims have separate plan tests. An erasure
/// searches the company's kept answers and saved views, and looks at the first key of each block of values. The
/// deletion of a company switches off all of its webhooks, and foreign keys look for rows that are left. Marks of open
/// pages have a separate plan test. A recount reads the values of each contact. Alerts read the users and the webhooks
/// of their companies, which are few.
const WALKS: [&str; 13] = [
    "SELECT source.company_id, source.kind, companies.product_access, ",
    "SELECT company_id, id, events, disabled_reason, generation FROM webhooks ",
    "SELECT members.key AS name, count(*) AS total FROM contacts, json_each(",
    "SELECT company_id, state AS part, ",
    "DELETE FROM companies WHERE id = ?",
    "UPDATE webhooks SET disabled_reason = 'by_hand', generation = generation + 1 WHERE company_id = ?",
    "DELETE FROM feed_cursors WHERE company_id = ?",
    "WITH RECURSIVE companies",
    "WITH held AS MATERIALIZED",
    "WITH visited AS MATERIALIZED",
    "DELETE FROM kept_answers WHERE company_id = ? AND sealed_id IS NULL AND (",
    "DELETE FROM saved_views WHERE company_id = ? AND (replace(",
    "UPDATE field_value_blocks SET first_key = coalesce(",
];

/// Reads in index order, by the tables that they read.
const READS: [&str; 12] = [
    " FROM changes ",
    " FROM audit ",
    " FROM kept_answers ",
    " FROM delivery_outcomes ",
    " FROM call_counts ",
    " FROM contact_days ",
    " FROM key_days ",
    "(SELECT 1 FROM syncs WHERE company_id = ",
    "deleted_at IS NOT NULL AND deleted_at < ",
    "deleted_at IS NOT NULL ORDER BY deleted_at DESC",
    "(SELECT id, user_id, name, query, is_shared, created_at FROM saved_views ",
    " FROM imports ",
];

/// Tables that no read may scan completely.
const WHOLE: [&str; 11] = [
    "changes",
    "audit",
    "kept_answers",
    "contacts",
    "delivery_outcomes",
    "call_counts",
    "contact_days",
    "key_days",
    "syncs",
    "saved_views",
    "imports",
];

/// Tables with few rows for each company, and tables and indexes that hold only what is in progress.
const FEW: [&str; 20] = [
    "alert_events",
    "alert_events_pkey",
    "fields",
    "fields_to_index",
    "integrations",
    "other_integrations",
    "oidc_attempts",
    "oidc_attempts_by_start",
    "oidc_attempts_pkey",
    "delivery_leases",
    "delivery_leases_by_webhook",
    "delivery_leases_pkey",
    "contact_counts",
    "count_changes",
    "change_purges",
    "companies",
    "instances",
    "settlements",
    "erasures",
    "delivery_count_changes",
];

/// Violations in these plans, one line for each statement.
pub(crate) fn offences(plans: &[RecordedPlan], is_postgres: bool) -> Vec<String> {
    let validated = plans.iter().filter_map(|recorded| {
        let offence = match recorded.statement.as_str() {
            batch if is_batch(batch) => unordered(recorded),
            write if is_validated(write) => {
                if is_postgres {
                    postgres(recorded)
                } else {
                    sqlite(recorded)
                }
            }
            read if READS.iter().any(|part| read.contains(part)) => out_of_order(recorded),
            _ => None,
        };
        let lines = recorded.plan.join("\n    ");
        offence.map(|offence| format!("{offence}\n  {}\n    {lines}", recorded.statement))
    });
    validated.collect()
}

fn is_validated(statement: &str) -> bool {
    let writes = WRITES.iter().any(|part| statement.contains(part));
    writes && !WALKS.iter().any(|beginning| statement.starts_with(beginning))
}

/// Whether a statement deletes the first rows of a company, as the deletion of the company does.
fn is_batch(statement: &str) -> bool {
    let ends = ["WHERE company_id = ? LIMIT ?)", "WHERE company_id = ?) LIMIT ?)"];
    statement.contains(" WHERE ctid = ANY (ARRAY (SELECT ctid FROM ")
        || statement.starts_with("DELETE FROM ") && ends.iter().any(|end| statement.ends_with(end))
}

/// Whether a batch reads more than the first rows of an index.
fn unordered(recorded: &RecordedPlan) -> Option<String> {
    let gathers = ["Sort ", "Bitmap Heap Scan on ", "Seq Scan on ", "SCAN ", "USE TEMP B-TREE"];
    let steps = recorded.plan.iter().map(|line| line.trim_start().trim_start_matches("->").trim());
    let is_offence = |step: &str| {
        let is_small = costs_little(step) || is_of_few(step);
        gathers.iter().any(|kind| step.starts_with(kind)) && !is_small
    };
    let found = steps.clone().find(|step| is_offence(step))?;
    Some(format!("a batch reads more than its rows: {found}"))
}

/// Whether a read collects the rows of a company and sorts them, or scans a table that is not small. The entries of one
/// object are few, and may be sorted.
fn out_of_order(recorded: &RecordedPlan) -> Option<String> {
    // Matches in a bounded part of the feed may be sorted too. The next company in a round over companies is the first
    // entry of some index.
    let sorts = ["object_id = ", ") AS scanned ", "SELECT company_id FROM "];
    let may_sort = sorts.iter().any(|part| recorded.statement.contains(part));
    let gathers = |step: &str| {
        let is_gathered =
            ["Bitmap Heap Scan on ", "changes_of_object", "USE TEMP B-TREE FOR ORDER"]
                .iter()
                .any(|part| step.contains(part));
        let is_whole = WHOLE.iter().any(|table| {
            step.starts_with(&format!("Seq Scan on {table} ")) || step == format!("SCAN {table}")
        });
        (is_gathered && !may_sort || is_whole) && !costs_little(step)
    };
    let steps = recorded.plan.iter().map(|line| line.trim_start().trim_start_matches("->").trim());
    let found = steps.clone().find(|step| gathers(step))?;
    Some(format!("gathers what it could read in order: {found}"))
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a step reads rows that the statement contains or produces, which it may scan once.
fn is_brought_along(statement: &str, source: &str) -> bool {
    let name = source.split(' ').next().unwrap_or_default();
    let made =
        [format!("{name} AS ("), format!("{name} AS MATERIALIZED ("), format!(") AS {name}")];
    ["json_each", "jsonb_each", "CONSTANT", "(subquery"].iter().any(|own| source.starts_with(own))
        || made.iter().any(|part| statement.contains(part))
}

fn is_of_few(step: &str) -> bool {
    FEW.iter().any(|table| step.split(' ').any(|word| word == *table))
}

fn names_few(condition: &str) -> bool {
    FEW.iter().any(|table| condition.contains(&format!("{table}.")))
}

fn sqlite(recorded: &RecordedPlan) -> Option<String> {
    // The depths of open loops over several rows: a deeper step runs once for each of them.
    let mut loops: Vec<usize> = Vec::new();
    for line in &recorded.plan {
        let (depth, step) = (depth(line), line.trim_start());
        loops.retain(|open| *open <= depth);
        let is_nested = loops.contains(&depth);
        if let Some(source) = step.strip_prefix("SCAN ").filter(|_| !is_of_few(step)) {
            if !is_brought_along(&recorded.statement, source) {
                return Some(format!("reads a whole table: {step}"));
            }
            if is_nested {
                return Some(format!("reads one list for each row of another: {step}"));
            }
        }
        if step.starts_with("SEARCH ") && step.ends_with("(company_id=?)") && !is_of_few(step) {
            return Some(format!("reads all rows of a company: {step}"));
        }
        // A batch selects some of them in a subquery.
        let deletes = recorded.statement.starts_with("DELETE ");
        if deletes && depth == 0 && step.ends_with("(field_number=?)") {
            return Some(format!("reads all values of a field: {step}"));
        }
        let is_one_row = step.ends_with(" (id=?)") || step.contains("CONSTANT ROW");
        if (step.starts_with("SCAN ") || step.starts_with("SEARCH ")) && !is_nested && !is_one_row {
            loops.push(depth);
        }
    }
    None
}

fn postgres(recorded: &RecordedPlan) -> Option<String> {
    let plan = &recorded.plan;
    for (place, line) in plan.iter().enumerate() {
        let step = line.trim_start().trim_start_matches("->").trim_start();
        let details = || {
            let below = plan.iter().skip(place + 1);
            below.take_while(|line| !line.contains("->")).map(|line| line.trim())
        };
        // A table that is known to be empty, or was just analysed, is scanned even if there are indexes.
        if costs_little(step) || is_of_few(step) {
            continue;
        }
        if step.starts_with("Seq Scan on ") {
            return Some(format!("reads a whole table: {step}"));
        }
        let is_index = ["Index Scan", "Index Only Scan", "Bitmap Index Scan"];
        if is_index.iter().any(|kind| step.starts_with(kind)) {
            let condition = details().find_map(|line| line.strip_prefix("Index Cond: "));
            match condition {
                None => return Some(format!("reads a whole index: {step}")),
                Some(condition) if is_company_alone(condition) => {
                    return Some(format!("reads all rows of a company: {step}"));
                }
                Some(_) => {}
            }
        }
        let joins = |line: &str| line.starts_with("Join Filter: ") && !names_few(line);
        if details().any(joins) {
            return Some(format!("reads one list for each row of another: {step}"));
        }
    }
    None
}

/// Whether the planner expects a step to cost less than a few pages.
fn costs_little(step: &str) -> bool {
    let cost = step.split_once("cost=").and_then(|(_, rest)| rest.split_once(".."));
    let total = cost.and_then(|(_, rest)| rest.split(' ').next()?.parse::<f64>().ok());
    total.is_some_and(|total| total < 10.0)
}

fn is_company_alone(condition: &str) -> bool {
    condition.starts_with("(company_id = ") && !condition.contains(" AND ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offence(statement: &str, plan: &[&str], is_postgres: bool) -> Vec<String> {
        let plan = plan.iter().map(|line| (*line).to_owned()).collect();
        let statement = statement.to_owned();
        offences(&[RecordedPlan { statement, plan, is_kept: true }], is_postgres)
    }

    #[test]
    fn a_scan_of_a_company_or_field_and_a_nested_scan_are_found_on_sqlite() {
        let update =
            "UPDATE contacts SET deleted_at = NULL FROM (SELECT 1 FROM jsonb_each(?)) AS source";
        let company = "SEARCH contacts USING INDEX sqlite_autoindex_contacts_2 (company_id=?)";
        let input = "SCAN jsonb_each VIRTUAL TABLE INDEX 1:";
        let by_id = "SEARCH contacts USING INDEX sqlite_autoindex_contacts_1 (id=?)";
        for bad in [&[company, input][..], &["SCAN contacts"], &["SCAN source", input]] {
            assert_eq!(offence(update, bad, false).len(), 1, "{bad:?}");
        }
        let values = ["SEARCH indexed_values USING INDEX indexed_values_by_key (field_number=?)"];
        let delete = "DELETE FROM indexed_values WHERE field_number = ?";
        assert_eq!(offence(delete, &values, false).len(), 1);
        let some = ["LIST SUBQUERY 1", &format!("  {}", values[0])];
        assert_eq!(offence(delete, &some, false), Vec::<String>::new());
        let nested = ["MATERIALIZE source", "  SCAN jsonb_each VIRTUAL TABLE INDEX 1:"];
        for good in [&[input, by_id][..], &[nested[0], nested[1], "SCAN source", by_id]] {
            assert_eq!(offence(update, good, false), Vec::<String>::new());
        }
    }

    #[test]
    fn a_read_of_the_feed_that_gathers_and_sorts_is_found() {
        let read = "SELECT id FROM changes WHERE company_id = ? ORDER BY position LIMIT ?";
        let bitmap = "Bitmap Heap Scan on changes  (cost=5.44..290.49 rows=80 width=164)";
        let other = "Index Scan using changes_of_object on changes  (cost=0.42..990.00 rows=9)";
        for bad in [&[bitmap][..], &["Sort", other], &["SCAN changes"]] {
            assert_eq!(offence(read, bad, true).len(), 1, "{bad:?}");
        }
        let good = ["Index Scan using changes_pkey on changes  (cost=0.42..990.00 rows=9 width=6)"];
        assert_eq!(offence(read, &good, true), Vec::<String>::new());
    }

    #[test]
    fn a_batch_that_sorts_or_scans_is_found() {
        let batch =
            "DELETE FROM audit WHERE ctid = ANY (ARRAY (SELECT ctid FROM audit WHERE a = ?))";
        let scan = "Index Scan using audit_pkey on audit  (cost=0.17..95.67 rows=5000 width=18)";
        let company = "  Index Cond: (company_id = '0'::uuid)";
        let sort = "Sort  (cost=99.00..99.67 rows=5000 width=18)";
        assert_eq!(offence(batch, &[sort, scan, company], true).len(), 1);
        assert_eq!(offence(batch, &[scan, company], true), Vec::<String>::new());
        let batch = "DELETE FROM audit WHERE (rowid) IN (SELECT rowid FROM audit WHERE company_id = ? LIMIT ?)";
        assert_eq!(offence(batch, &["SCAN audit"], false).len(), 1);
        let search = "SEARCH audit USING COVERING INDEX audit_by_time (company_id=?)";
        assert_eq!(offence(batch, &[search], false), Vec::<String>::new());
    }

    #[test]
    fn a_scan_of_a_company_and_a_nested_scan_are_found_on_postgres() {
        let update = "UPDATE contacts SET deleted_at = NULL";
        let scan =
            "Index Scan using contacts_by_email on contacts  (cost=0.42..990.00 rows=9 width=6)";
        let company = "  Index Cond: (company_id = '0'::uuid)";
        let id = "  Index Cond: (id = source.id)";
        let join = "Nested Loop  (cost=0.42..990.00 rows=9 width=6)";
        let whole = "Seq Scan on contacts  (cost=0.00..990.00 rows=9 width=6)";
        for bad in [&[whole][..], &[scan], &[scan, company], &[join, "  Join Filter: (a = b)"]] {
            assert_eq!(offence(update, bad, true).len(), 1, "{bad:?}");
        }
        for good in [&[scan, id][..], &["Seq Scan on contacts  (cost=0.00..6.94 rows=1 width=6)"]] {
            assert_eq!(offence(update, good, true), Vec::<String>::new());
        }
    }
}
