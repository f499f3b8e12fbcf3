ALTER TABLE field_value_uses RENAME TO new_field_value_uses;
CREATE TABLE field_value_uses (
    field_id BLOB NOT NULL REFERENCES fields (id),
    sort_key BLOB NOT NULL,
    identity BLOB NOT NULL,
    sort_rest BLOB NOT NULL,
    value TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (field_id, sort_key, identity)
) STRICT, WITHOUT ROWID;
INSERT INTO field_value_uses
SELECT field_id, sort_key, identity, sort_rest, value, uses FROM new_field_value_uses ORDER BY 1, 2, 3;
DROP TABLE new_field_value_uses;
