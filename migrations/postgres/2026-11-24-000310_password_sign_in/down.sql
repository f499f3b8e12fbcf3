-- An older program accepts the passwords that users still have.
DELETE FROM compatible_migrations WHERE version = '20261124000310';
ALTER TABLE sessions DROP COLUMN method;
ALTER TABLE companies DROP COLUMN password_sign_in;
