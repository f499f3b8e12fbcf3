ALTER TABLE sessions DROP COLUMN confirmed_at;
ALTER TABLE sessions DROP COLUMN browser;
ALTER TABLE sessions DROP COLUMN address;
