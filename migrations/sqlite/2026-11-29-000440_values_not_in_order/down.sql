DELETE FROM compatible_migrations WHERE version = '20261129000440';
DROP INDEX indexed_values_not_in_order;
