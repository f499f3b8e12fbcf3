DELETE FROM compatible_migrations WHERE version = '20261122000071';
