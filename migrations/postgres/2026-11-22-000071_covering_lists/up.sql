-- The indexes of the lists have what else is often compared or sorted by, so that walking along one of them reads no row
-- of the table. They cannot have all three texts: an entry of an index is at most 2,700 bytes long.
DROP INDEX contacts_by_created_at, contacts_by_updated_at, contacts_by_email, contacts_by_first_name, contacts_by_last_name;
CREATE INDEX contacts_by_created_at ON contacts (company_id, created_at, id) INCLUDE (updated_at)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_updated_at ON contacts (company_id, updated_at, id) INCLUDE (created_at)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (company_id, email_folded, id) INCLUDE (created_at, updated_at)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_first_name ON contacts (company_id, first_name_folded, id)
    INCLUDE (last_name_folded, created_at, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id)
    INCLUDE (first_name_folded, created_at, updated_at) WHERE deleted_at IS NULL;
-- A walk reads the table for what a vacuum has not seen, and plans are made from what an analysis has. By default both
-- wait for a tenth to a fifth of the table.
ALTER TABLE contacts SET (
    autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01
);
INSERT INTO compatible_migrations (version) VALUES ('20261122000071');
