DROP INDEX contacts_by_last_name;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id) WHERE is_listed = 1;
DELETE FROM compatible_migrations WHERE version = '20261126000380';
