//! Counts the deliveries that are due.
//!
//! Like a claim, it steps from webhook to webhook along the index of what is due, and reads only each webhook's
//! current generation.

use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::statement::{Statement, sql, statement};

/// A statement that counts the deliveries that are due at this moment, up to the number bound to it.
pub(super) fn backlog(connection: &Connection, now: Timestamp) -> Statement {
    let text = "due.due_at <= ? AND due.id NOT IN (SELECT delivery_id FROM delivery_leases WHERE until > ?)";
    let is_due = statement(text).bind(now).bind(now);
    let waiting = match connection {
        Connection::Postgres(_) => postgres(is_due),
        Connection::Sqlite(_) => sqlite(is_due),
    };
    sql!("{} SELECT count(*) AS due, min(due_at) AS since FROM waiting", waiting)
}

/// The columns of the first open delivery that meets a further condition.
fn first(columns: &'static str, condition: impl Into<Statement>) -> Statement {
    sql!(
        "SELECT {} FROM deliveries WHERE due_at IS NOT NULL{} ORDER BY company_id, webhook_id LIMIT 1",
        columns,
        condition.into()
    )
}

/// `OFFSET 0` keeps the generation among the conditions of the index; otherwise the webhook is looked up for each row.
fn postgres(is_due: Statement) -> Statement {
    let columns = "company_id, webhook_id";
    let begin = first(columns, "");
    let step = first(columns, " AND (company_id, webhook_id) > (busy.company_id, busy.webhook_id)");
    sql!(
        "WITH RECURSIVE busy (company_id, webhook_id) AS (SELECT * FROM ({}) AS first \
         UNION ALL SELECT next.* FROM busy CROSS JOIN LATERAL ({}) AS next), \
         waiting AS (SELECT due.due_at FROM busy JOIN webhooks ON webhooks.id = busy.webhook_id \
         CROSS JOIN LATERAL (SELECT due_at FROM deliveries AS due WHERE company_id = busy.company_id \
         AND webhook_id = busy.webhook_id AND generation = webhooks.generation AND urgency IN (0, 1, 2) \
         AND {} OFFSET 0) AS due LIMIT ?)",
        begin,
        step,
        is_due
    )
}

fn sqlite(is_due: Statement) -> Statement {
    let begin = first("rowid", "");
    let after = "(SELECT company_id, webhook_id FROM deliveries WHERE rowid = busy.row)";
    let step = first("rowid", sql!(" AND (company_id, webhook_id) > {}", after));
    sql!(
        "WITH RECURSIVE busy (row) AS (SELECT ({}) UNION ALL SELECT ({}) FROM busy \
         WHERE busy.row IS NOT NULL), \
         waiting AS (SELECT due.due_at FROM busy CROSS JOIN deliveries AS one ON one.rowid = busy.row \
         CROSS JOIN webhooks ON webhooks.id = one.webhook_id CROSS JOIN deliveries AS due \
         ON due.company_id = one.company_id AND due.webhook_id = one.webhook_id \
         AND due.generation = webhooks.generation AND due.urgency IN (0, 1, 2) AND {} LIMIT ?)",
        begin,
        step,
        is_due
    )
}
