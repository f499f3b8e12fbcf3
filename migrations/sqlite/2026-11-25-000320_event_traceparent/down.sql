DELETE FROM compatible_migrations WHERE version = '20261125000320';
ALTER TABLE events DROP COLUMN traceparent;
