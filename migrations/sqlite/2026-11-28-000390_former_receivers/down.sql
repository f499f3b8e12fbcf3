DELETE FROM compatible_migrations WHERE version = '20261128000390';
ALTER TABLE delivery_leases DROP COLUMN is_former;
