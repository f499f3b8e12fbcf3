DELETE FROM compatible_migrations WHERE version = '20261126000380';
