DELETE FROM compatible_migrations WHERE version = '20261129000440';
