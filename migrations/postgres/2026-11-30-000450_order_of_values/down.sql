DELETE FROM compatible_migrations WHERE version = '20261130000450';
