-- Running instances that hold leases, each with its last sign of life.
CREATE TABLE instances (
    id uuid PRIMARY KEY,
    seen_at timestamptz NOT NULL
);
-- Which instance holds the lease of a delivery in progress.
ALTER TABLE deliveries ADD COLUMN owner uuid;
