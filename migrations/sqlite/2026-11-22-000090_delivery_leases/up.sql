-- The deliveries in progress. A claim writes here, and leaves the delivery as it is: a row of deliveries has many
-- indexes, and one of leases has two. A lease may outlast its delivery, whose running attempt can still succeed.
CREATE TABLE delivery_leases (
    delivery_id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL,
    webhook_id BLOB NOT NULL,
    lease BLOB NOT NULL,
    owner BLOB NOT NULL,
    claimed_at INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_leases_by_webhook ON delivery_leases (company_id, webhook_id);

INSERT INTO delivery_leases
SELECT id, company_id, webhook_id, lease, COALESCE(owner, lease), updated_at, due_at
FROM deliveries WHERE state = 'in_progress' AND lease IS NOT NULL;
-- The columns lease and owner remain, without values: on SQLite dropping a column would rewrite the table.
UPDATE deliveries SET state = CASE WHEN retries > 0 THEN 'retrying' ELSE 'pending' END, due_at = updated_at,
    lease = NULL, owner = NULL
WHERE state = 'in_progress';
DROP INDEX deliveries_in_progress;
