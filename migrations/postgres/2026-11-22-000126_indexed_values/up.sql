-- The values of the fields by which contacts can be filtered and sorted, one row for each value of an active contact.
-- sort_key has the bytes by which values are compared, a long text's cut off; sort_rest has what was cut off.
CREATE TABLE indexed_values (
    company_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    field_id uuid NOT NULL,
    sort_key bytea NOT NULL,
    sort_rest bytea NOT NULL,
    PRIMARY KEY (company_id, contact_id, field_id)
);
CREATE INDEX indexed_values_by_key ON indexed_values (company_id, field_id, sort_key, contact_id);

-- The state of the rows of a field. Of a field that is 'building' and of one that is 'ready', each write of contacts
-- writes the rows. 'dropping' deletes them, and 'rebuilding' too, to build them again. The values of contacts up to
-- indexed_at and indexed_to, in the order of creation, are built.
ALTER TABLE fields ADD COLUMN index_state text NOT NULL DEFAULT 'none'
    CHECK (index_state IN ('none', 'building', 'ready', 'dropping', 'rebuilding'));
ALTER TABLE fields ADD COLUMN indexed_at timestamptz;
ALTER TABLE fields ADD COLUMN indexed_to uuid;
CREATE INDEX fields_to_index ON fields (company_id, id) WHERE index_state IN ('building', 'dropping', 'rebuilding');
