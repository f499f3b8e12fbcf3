ALTER TABLE field_value_blocks DROP COLUMN uses;
