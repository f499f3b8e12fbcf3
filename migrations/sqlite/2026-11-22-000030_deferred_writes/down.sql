-- Fails while there are changes: let the service run without writers until there are none.
CREATE TEMPORARY TABLE remaining (
    changes INTEGER NOT NULL CONSTRAINT count_changes_has_rows CHECK (changes = 0)
);
INSERT INTO remaining SELECT count(*) FROM count_changes;
DROP TABLE remaining;
DROP TABLE count_changes;

DROP INDEX contacts_to_unlist;
DROP INDEX contacts_by_created_at;
DROP INDEX contacts_by_updated_at;
DROP INDEX contacts_by_email;
DROP INDEX contacts_by_first_name;
DROP INDEX contacts_by_last_name;
ALTER TABLE contacts DROP COLUMN is_listed;
CREATE INDEX contacts_by_created_at ON contacts (company_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_updated_at ON contacts (company_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (company_id, email_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_first_name ON contacts (company_id, first_name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id) WHERE deleted_at IS NULL;
