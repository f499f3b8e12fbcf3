DELETE FROM compatible_migrations WHERE version = '20261122000060';
DROP TABLE rate_windows;
