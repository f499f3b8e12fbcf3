-- Needs a stop: an older program would not write the new column.
-- The index of the values whose ids are not in order had a condition with functions. SQLite may then have to undo a statement
-- that writes values, and copies the pages that it changes for that. The condition is now a column.
ALTER TABLE indexed_values ADD COLUMN is_in_order INTEGER NOT NULL DEFAULT 1;
UPDATE indexed_values SET is_in_order = 0
    WHERE hex(substr(contact_id, 1, 6)) NOT BETWEEN printf('%012X', contact_created_at / 1000 - 1000)
        AND printf('%012X', contact_created_at / 1000 + 1000);
DROP INDEX indexed_values_not_in_order;
CREATE INDEX indexed_values_not_in_order ON indexed_values (field_number) WHERE is_in_order = 0;
