ALTER TABLE fields DROP COLUMN archived;
