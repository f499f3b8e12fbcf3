-- When the contact was created: the matches of a condition are sorted in the default order without reading contacts.
DROP INDEX indexed_values_by_key;
ALTER TABLE indexed_values ADD COLUMN contact_created_at timestamptz;
UPDATE indexed_values SET contact_created_at = contacts.created_at FROM contacts
    WHERE contacts.company_id = indexed_values.company_id AND contacts.id = indexed_values.contact_id;
ALTER TABLE indexed_values ALTER COLUMN contact_created_at SET NOT NULL;
CREATE INDEX indexed_values_by_key ON indexed_values (company_id, field_id, sort_key, contact_id) INCLUDE (contact_created_at);
