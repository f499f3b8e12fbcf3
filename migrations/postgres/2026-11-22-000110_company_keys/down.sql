ALTER TABLE contacts DROP CONSTRAINT contacts_pkey, ADD PRIMARY KEY (id);
ALTER TABLE fields DROP CONSTRAINT fields_pkey, ADD PRIMARY KEY (id);

CREATE TABLE old_field_value_uses (
    field_id uuid NOT NULL REFERENCES fields,
    sort_key bytea NOT NULL,
    identity bytea NOT NULL,
    sort_rest bytea NOT NULL,
    value json NOT NULL,
    uses bigint NOT NULL
) WITH (fillfactor = 80);
INSERT INTO old_field_value_uses
SELECT field_id, sort_key, identity, sort_rest, value, uses FROM field_value_uses ORDER BY 1, 2, 3;
DROP TABLE field_value_uses;
ALTER TABLE old_field_value_uses RENAME TO field_value_uses;
ALTER TABLE field_value_uses RENAME CONSTRAINT old_field_value_uses_field_id_fkey TO field_value_uses_field_id_fkey;
ALTER TABLE field_value_uses ADD PRIMARY KEY (field_id, sort_key, identity);
