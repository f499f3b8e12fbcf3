-- When the contact was created: the matches of a condition are sorted in the default order without reading contacts.
ALTER TABLE indexed_values RENAME TO indexed_values_before;
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
    SELECT had.company_id, had.contact_id, had.field_id, had.sort_key, had.sort_rest, contacts.created_at
    FROM indexed_values_before AS had CROSS JOIN contacts ON contacts.id = had.contact_id
    ORDER BY had.company_id, had.contact_id, had.field_id;
DROP TABLE indexed_values_before;
CREATE INDEX indexed_values_by_key ON indexed_values (company_id, field_id, sort_key, contact_id, contact_created_at);
