ALTER TABLE count_changes DROP COLUMN beginnings;
DROP TABLE contact_beginnings;
