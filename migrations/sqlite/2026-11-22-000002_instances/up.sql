-- Running instances that hold leases, each with its last sign of life.
CREATE TABLE instances (
    id BLOB NOT NULL PRIMARY KEY,
    seen_at INTEGER NOT NULL
) STRICT;
-- Which instance holds the lease of a delivery in progress.
ALTER TABLE deliveries ADD COLUMN owner BLOB;
