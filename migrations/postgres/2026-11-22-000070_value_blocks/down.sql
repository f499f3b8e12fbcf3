DROP TABLE field_value_blocks;
