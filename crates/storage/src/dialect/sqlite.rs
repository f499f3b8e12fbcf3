//! SQLite's forms: one JSON document in place of arrays, bytes in it as hexadecimal.

use std::fmt::Write;

use serde_json::json;

use crate::connection::Connection;
use crate::contacts::ValueUse;
use crate::failure::Failure;
use crate::statement::statement;

pub(super) fn change_value_uses(
    connection: &mut Connection,
    changes: &[ValueUse],
) -> Result<(), Failure> {
    let falls = changes.iter().any(|change| change.delta < 0);
    let rows: Vec<_> = changes
        .iter()
        .map(|change| {
            let field = hex(change.field.uuid().as_bytes());
            let (key, identity) = (hex(&change.sort_key), hex(&change.identity));
            json!([
                field,
                key,
                identity,
                hex(&change.sort_rest),
                change.value,
                change.delta
            ])
        })
        .collect();
    let document = serde_json::Value::from(rows).to_string();
    // WHERE true keeps ON CONFLICT from being read as a join condition (SQLite, "Parsing Ambiguity" of UPSERT).
    let upsert = "INSERT INTO field_value_uses (field_id, sort_key, identity, sort_rest, value, uses) \
         SELECT unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2), unhex(value ->> 3), value ->> 4, \
         value ->> 5 FROM json_each(?) WHERE true \
         ON CONFLICT (field_id, sort_key, identity) DO UPDATE SET uses = uses + excluded.uses";
    connection.execute(statement(upsert).bind(document.clone()))?;
    if falls {
        let delete = "DELETE FROM field_value_uses WHERE uses <= 0 AND (field_id, sort_key, identity) IN \
             (SELECT unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2) FROM json_each(?))";
        connection.execute(statement(delete).bind(document))?;
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a string does not fail.
            write!(text, "{byte:02x}").ok();
            text
        })
}
