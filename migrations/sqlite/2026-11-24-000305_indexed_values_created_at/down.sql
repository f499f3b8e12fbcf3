DROP INDEX indexed_values_by_key;
ALTER TABLE indexed_values DROP COLUMN contact_created_at;
CREATE INDEX indexed_values_by_key ON indexed_values (company_id, field_id, sort_key, contact_id);
