-- The counts of values name their company, as all statements on them do. Contacts and fields keep their keys: SQLite
-- would write them anew.
CREATE TABLE new_field_value_uses (
    company_id BLOB NOT NULL,
    field_id BLOB NOT NULL,
    sort_key BLOB NOT NULL,
    identity BLOB NOT NULL,
    sort_rest BLOB NOT NULL,
    value TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (company_id, field_id, sort_key, identity)
) STRICT, WITHOUT ROWID;
INSERT INTO new_field_value_uses
SELECT fields.company_id, field_id, sort_key, identity, sort_rest, value, uses
FROM field_value_uses JOIN fields ON fields.id = field_id ORDER BY 1, 2, 3, 4;
DROP TABLE field_value_uses;
ALTER TABLE new_field_value_uses RENAME TO field_value_uses;
