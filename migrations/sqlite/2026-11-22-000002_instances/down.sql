ALTER TABLE deliveries DROP COLUMN owner;
DROP TABLE instances;
