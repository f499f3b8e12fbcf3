DROP TABLE change_purges;
DROP TABLE changes;
