//! Query plans, in the format of each database.

use std::collections::HashMap;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Integer, Text};

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, joined, sql, statement};

/// The plan of a statement, line by line. Deeper steps are indented.
pub(crate) fn explain(
    connection: &mut Connection,
    statement: Statement,
) -> Result<Vec<String>, Failure> {
    match connection {
        Connection::Postgres(_) => postgres(connection, statement),
        Connection::Sqlite(_) => sqlite(connection, statement),
    }
}

#[derive(QueryableByName)]
struct PostgresLine {
    #[diesel(column_name = "QUERY PLAN", sql_type = Text)]
    line: String,
}

fn postgres(connection: &mut Connection, statement: Statement) -> Result<Vec<String>, Failure> {
    let lines: Vec<PostgresLine> = if has_one_plan(connection)? {
        let (text, values) = statement.numbered()?;
        let types: Vec<&str> = values.iter().map(|value| value.postgres_type()).collect();
        let types =
            if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
        connection.batch(&format!("PREPARE explained{types} AS {text}"))?;
        let nulls = joined(values.iter().map(|_| "NULL"), ", ");
        let nulls = (!values.is_empty()).then(|| sql!("({})", nulls));
        let lines = connection.rows(sql!("EXPLAIN EXECUTE explained{}", nulls).uncached())?;
        connection.batch("DEALLOCATE explained")?;
        lines
    } else {
        connection.rows(sql!("EXPLAIN {}", statement))?
    };
    Ok(lines.into_iter().map(|line| line.line).collect())
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Whether the transaction plans each statement once, regardless of its values. EXPLAIN itself always plans for the
/// values.
fn has_one_plan(connection: &mut Connection) -> Result<bool, Failure> {
    let text = "SELECT current_setting('plan_cache_mode') = 'force_generic_plan' AS yes";
    let answer: Option<Answer> = connection.first(statement(text))?;
    Ok(answer.is_some_and(|answer| answer.yes))
}

/// How many rows PostgreSQL expects a statement to return, by what it knows of all companies together; 0 on SQLite, which
/// knows nothing.
pub(crate) fn expected_rows(
    connection: &mut Connection,
    statement: Statement,
) -> Result<u64, Failure> {
    if let Connection::Sqlite(_) = connection {
        return Ok(0);
    }
    let explain = sql!("EXPLAIN (FORMAT YAML) {}", statement).uncached();
    let plan = connection.first::<PostgresLine>(explain)?;
    Ok(plan.map_or(0, |plan| rows_of_plan(&plan.line)))
}

/// How many rows a plan returns. On a cluster the first step is that of the coordinator, which expects none; the steps of
/// the node follow.
fn rows_of_plan(plan: &str) -> u64 {
    let mut rows = plan.lines().filter_map(|line| line.trim().strip_prefix("Plan Rows: "));
    rows.find_map(|rows| rows.parse().ok().filter(|rows| *rows > 0)).unwrap_or_default()
}

/// Whether PostgreSQL would use an index for a statement, with the settings of the transaction.
pub(crate) fn uses_index(
    connection: &mut Connection,
    index: &str,
    statement: Statement,
) -> Result<bool, Failure> {
    let lines: Vec<PostgresLine> = connection.rows(sql!("EXPLAIN {}", statement).uncached())?;
    Ok(lines.iter().any(|line| line.line.contains(index)))
}

#[derive(QueryableByName)]
struct SqliteLine {
    #[diesel(sql_type = Integer)]
    id: i32,
    #[diesel(sql_type = Integer)]
    parent: i32,
    #[diesel(sql_type = Text)]
    detail: String,
}

fn sqlite(connection: &mut Connection, statement: Statement) -> Result<Vec<String>, Failure> {
    let lines: Vec<SqliteLine> = connection.rows(sql!("EXPLAIN QUERY PLAN {}", statement))?;
    let mut depths: HashMap<i32, usize> = HashMap::new();
    let indented = lines.into_iter().map(|line| {
        let depth = depths.get(&line.parent).map_or(0, |above| above + 1);
        depths.insert(line.id, depth);
        format!("{}{}", "  ".repeat(depth), line.detail)
    });
    Ok(indented.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_that_expects_rows_is_that_of_the_statement() {
        let one_server = "- Plan:\n    Node Type: \"Nested Loop\"\n    Plan Rows: 12\n    Plans:\n      - Node Type: \"Result\"\n        Plan Rows: 99\n";
        assert_eq!(rows_of_plan(one_server), 12);
        let cluster = "- Plan:\n    Custom Plan Provider: \"Citus Adaptive\"\n    Plan Rows: 0\n    Distributed Query:\n      Job:\n        Tasks:\n          - Node: \"host=worker\"\n            Remote Plan:\n              - Plan:\n                  Node Type: \"Index Only Scan\"\n                  Plan Rows: 34\n";
        assert_eq!(rows_of_plan(cluster), 34);
        assert_eq!(rows_of_plan("- Plan:\n    Node Type: \"Result\"\n    Plan Rows: 0\n"), 0);
    }
}
