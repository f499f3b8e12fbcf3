DELETE FROM compatible_migrations WHERE version = '20261122000071';
ALTER TABLE contacts RESET (
    autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor
);
DROP INDEX contacts_by_created_at, contacts_by_updated_at, contacts_by_email, contacts_by_first_name, contacts_by_last_name;
CREATE INDEX contacts_by_created_at ON contacts (company_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_updated_at ON contacts (company_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (company_id, email_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_first_name ON contacts (company_id, first_name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id) WHERE deleted_at IS NULL;
