DROP INDEX events_by_company;
ALTER TABLE companies DROP COLUMN deleting_since;
