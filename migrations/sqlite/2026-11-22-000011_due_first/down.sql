DROP INDEX deliveries_due_first;
CREATE INDEX deliveries_due_first ON deliveries (due_at) WHERE due_at IS NOT NULL;
