-- An older program would ask their users to set up two-step verification, which is safe.
DELETE FROM compatible_migrations WHERE version = '20261124000280';
ALTER TABLE sessions DROP COLUMN used_many_factors;
DROP TABLE oidc_subjects;
DROP TABLE oidc_attempts;
