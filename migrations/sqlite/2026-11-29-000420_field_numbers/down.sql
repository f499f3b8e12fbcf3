DROP TRIGGER fields_indexed_values;
DROP TRIGGER fields_index_number;
ALTER TABLE indexed_values RENAME TO indexed_values_after;
CREATE TABLE indexed_values (
    company_id BLOB NOT NULL,
    contact_id BLOB NOT NULL,
    field_id BLOB NOT NULL,
    sort_key BLOB NOT NULL,
    sort_rest BLOB NOT NULL,
    contact_created_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, contact_id, field_id)
) STRICT, WITHOUT ROWID;
INSERT INTO indexed_values
    SELECT fields.company_id, has.contact_id, fields.id, has.sort_key, has.sort_rest, has.contact_created_at
    FROM indexed_values_after AS has CROSS JOIN fields ON fields.index_number = has.field_number;
DROP TABLE indexed_values_after;
CREATE INDEX indexed_values_by_key ON indexed_values (company_id, field_id, sort_key, contact_id, contact_created_at);
DROP INDEX fields_by_index_number;
ALTER TABLE fields DROP COLUMN index_number;
