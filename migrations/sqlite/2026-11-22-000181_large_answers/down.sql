DROP INDEX kept_answers_large;
ALTER TABLE kept_answers DROP COLUMN large_size;
