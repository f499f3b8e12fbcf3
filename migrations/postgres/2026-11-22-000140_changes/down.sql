DROP TABLE change_base;
DROP TABLE change_purges;
DROP TABLE changes;
