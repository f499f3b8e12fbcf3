DROP INDEX fields_to_index;
ALTER TABLE fields DROP COLUMN indexed_to;
ALTER TABLE fields DROP COLUMN indexed_at;
ALTER TABLE fields DROP COLUMN index_state;
DROP TABLE indexed_values;
