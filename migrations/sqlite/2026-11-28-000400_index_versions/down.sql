DELETE FROM compatible_migrations WHERE version = '20261128000400';
ALTER TABLE fields DROP COLUMN index_version;
