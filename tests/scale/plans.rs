//! A summary of the plans that served a list.

use std::collections::BTreeSet;

use contact_hub_storage::RecordedPlan;

/// The tables that have rows for each contact or value.
const TABLES: [&str; 3] = ["contacts", "indexed_values", "field_value_uses"];

/// A part of the statement that lists the contacts without a value, which are in the order of their ids.
const WITHOUT_VALUE: &str = "CAST(NULL AS bytea) AS value_0";

/// What the summary says of a statement that reads all rows of one of them.
pub(crate) const WHOLE: &str = " whole table";

/// The ways and the indexes of these statements.
pub(crate) fn summary(plans: &[RecordedPlan]) -> String {
    let of_lists = plans.iter().filter(|plan| {
        ["FROM contacts", "FROM field_value"].iter().any(|part| plan.statement.contains(part))
    });
    let mut parts = Vec::new();
    for plan in of_lists {
        let indexes: BTreeSet<&str> = plan.plan.iter().filter_map(|line| index(line)).collect();
        let indexes: Vec<&str> = indexes.into_iter().collect();
        let is_whole = TABLES.iter().any(|it| reads_all_of(it, &plan.plan));
        let is_by_id = !plan.statement.contains(WITHOUT_VALUE) && reads_all_by_id(&plan.plan);
        let whole = if is_whole || is_by_id { WHOLE } else { "" };
        parts.push(format!("{} ({}){whole}", way(&plan.statement), indexes.join(", ")));
    }
    parts.join("; ")
}

fn way(statement: &str) -> &'static str {
    let ways = [
        ("AS bounded", "probed"),
        ("WITH hits", "gathered"),
        ("WITH place", "found by its place"),
        ("FETCH FIRST", "walked within a limit"),
        ("AS page", "walked"),
        ("count(*)", "counted"),
    ];
    ways.iter().find(|(part, _)| statement.contains(part)).map_or("read", |(_, way)| way)
}

/// The name of the index that a step reads.
fn index(line: &str) -> Option<&str> {
    let known = |name: &&str| name.starts_with("contacts_by_") || name.starts_with("field_value");
    line.split([' ', '(']).find(known)
}

/// Whether a step of PostgreSQL reads all contacts of a company by the primary key, which has the order of no other list.
fn reads_all_by_id(plan: &[String]) -> bool {
    let is_by_company_alone = |condition: &str| {
        condition.trim_start().starts_with("Index Cond: (company_id = ")
            && !condition.contains(" AND ")
    };
    plan.windows(2).any(|steps| match steps {
        [step, condition] => step.contains(" contacts_pkey") && is_by_company_alone(condition),
        _ => false,
    })
}

/// Whether a step reads all rows of a table. In SQLite's plans a subquery may have the name of the table too.
fn reads_all_of(table: &str, plan: &[String]) -> bool {
    let number = |step: &str| plan.iter().filter(|line| line.trim() == step).count();
    let sequential = format!("Seq Scan on {table}");
    plan.iter().any(|line| line.contains(&sequential))
        || number(&format!("SCAN {table}")) > number(&format!("CO-ROUTINE {table}"))
}
