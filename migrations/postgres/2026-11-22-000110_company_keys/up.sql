-- The keys of all rows of contacts begin with the company, so that a cluster can spread companies over its nodes.
-- A count of a value no longer refers to its field, which is never deleted.
CREATE TABLE new_field_value_uses (
    company_id uuid NOT NULL,
    field_id uuid NOT NULL,
    sort_key bytea NOT NULL,
    identity bytea NOT NULL,
    sort_rest bytea NOT NULL,
    value json NOT NULL,
    uses bigint NOT NULL
) WITH (fillfactor = 80);
INSERT INTO new_field_value_uses
SELECT fields.company_id, field_id, sort_key, identity, sort_rest, value, uses
FROM field_value_uses JOIN fields ON fields.id = field_id ORDER BY 1, 2, 3, 4;
DROP TABLE field_value_uses;
ALTER TABLE new_field_value_uses RENAME TO field_value_uses;
ALTER TABLE field_value_uses ADD PRIMARY KEY (company_id, field_id, sort_key, identity);

ALTER TABLE fields DROP CONSTRAINT fields_pkey, ADD PRIMARY KEY (company_id, id);

-- Contacts can be read while the index is built, and their table is not rewritten.
CREATE UNIQUE INDEX contacts_by_id ON contacts (company_id, id);
ALTER TABLE contacts DROP CONSTRAINT contacts_pkey, ADD CONSTRAINT contacts_pkey PRIMARY KEY USING INDEX contacts_by_id;
