DROP INDEX contacts_by_search_text;
ALTER TABLE contacts DROP COLUMN search_text;
DROP EXTENSION btree_gin;
DROP EXTENSION pg_trgm;
DROP INDEX contacts_by_last_name;
DROP INDEX contacts_by_first_name;
DROP INDEX contacts_by_email;
DROP INDEX contacts_by_updated_at;
DROP INDEX contacts_by_created_at;
