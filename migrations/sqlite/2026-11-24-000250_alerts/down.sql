DELETE FROM compatible_migrations WHERE version = '20261124000250';
DROP INDEX api_keys_by_expiry;
ALTER TABLE api_keys DROP COLUMN expiry_noted;
DROP TABLE alert_mails;
DROP TABLE alerts;
DROP TABLE alert_choices;
