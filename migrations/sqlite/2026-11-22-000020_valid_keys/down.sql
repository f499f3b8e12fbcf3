DELETE FROM compatible_migrations WHERE version = '20261122000020';
DROP INDEX api_keys_not_revoked;
