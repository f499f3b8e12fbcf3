ALTER TABLE count_changes DROP COLUMN text_counts;
DROP TABLE text_counts;
