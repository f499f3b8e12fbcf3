//! A summary of the plans that served a list.

use std::collections::BTreeSet;

use contact_hub_storage::RecordedPlan;

/// The ways and the indexes of these statements.
pub(crate) fn summary(plans: &[RecordedPlan]) -> String {
    let of_lists = plans.iter().filter(|plan| {
        ["FROM contacts", "FROM field_value"].iter().any(|part| plan.statement.contains(part))
    });
    let mut parts = Vec::new();
    for plan in of_lists {
        let indexes: BTreeSet<&str> = plan.plan.iter().filter_map(|line| index(line)).collect();
        let indexes: Vec<&str> = indexes.into_iter().collect();
        let is_whole = plan.plan.iter().any(|line| is_whole_table(line));
        let whole = if is_whole { " whole table" } else { "" };
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

fn is_whole_table(line: &str) -> bool {
    line.contains("Seq Scan on contacts") || line.trim() == "SCAN contacts"
}
