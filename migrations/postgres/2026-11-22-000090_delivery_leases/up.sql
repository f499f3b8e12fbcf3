-- The deliveries in progress. A claim writes here, and leaves the delivery as it is: a row of deliveries has many
-- indexes, and one of leases has two. A lease may outlast its delivery, whose running attempt can still succeed. Rows
-- live for less than a second, so the table is vacuumed often and stays small.
CREATE TABLE delivery_leases (
    delivery_id uuid PRIMARY KEY,
    company_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    lease uuid NOT NULL,
    owner uuid NOT NULL,
    claimed_at timestamptz NOT NULL,
    until timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX delivery_leases_by_webhook ON delivery_leases (company_id, webhook_id);

INSERT INTO delivery_leases
SELECT id, company_id, webhook_id, lease, COALESCE(owner, lease), updated_at, due_at
FROM deliveries WHERE state = 'in_progress' AND lease IS NOT NULL;
-- The columns lease and owner remain, without values: on SQLite dropping a column would rewrite the table.
UPDATE deliveries SET state = CASE WHEN retries > 0 THEN 'retrying' ELSE 'pending' END, due_at = updated_at,
    lease = NULL, owner = NULL
WHERE state = 'in_progress';
DROP INDEX deliveries_in_progress;

-- The company of a delivery is that of its event, and that of an attempt is that of its delivery. Each check would lock
-- the company's row once more.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_company_id_fkey;
ALTER TABLE delivery_attempts DROP CONSTRAINT delivery_attempts_company_id_fkey;
-- Attempts are found by their delivery alone.
ALTER TABLE delivery_attempts DROP CONSTRAINT delivery_attempts_pkey;
