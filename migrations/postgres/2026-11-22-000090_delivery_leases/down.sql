ALTER TABLE delivery_attempts ADD PRIMARY KEY (id);
ALTER TABLE delivery_attempts ADD FOREIGN KEY (company_id) REFERENCES companies;
ALTER TABLE deliveries ADD FOREIGN KEY (company_id) REFERENCES companies;
CREATE INDEX deliveries_in_progress ON deliveries (company_id, webhook_id, due_at) WHERE state = 'in_progress';
UPDATE deliveries SET state = 'in_progress', lease = delivery_leases.lease, owner = delivery_leases.owner,
    updated_at = claimed_at, due_at = until
FROM delivery_leases WHERE delivery_id = deliveries.id AND due_at IS NOT NULL;
UPDATE deliveries SET lease = delivery_leases.lease, owner = delivery_leases.owner
FROM delivery_leases WHERE delivery_id = deliveries.id AND due_at IS NULL;
DROP TABLE delivery_leases;
