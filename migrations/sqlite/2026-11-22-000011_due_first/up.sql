-- The earliest of all that is open. Its condition is on the state, so that a claim, which asks for what is due of one
-- webhook, does not take this index and read what waits of all the others.
DROP INDEX deliveries_due_first;
CREATE INDEX deliveries_due_first ON deliveries (due_at) WHERE state IN ('pending', 'in_progress', 'retrying');
