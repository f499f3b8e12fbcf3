DROP TRIGGER deliveries_inserted;
DROP TRIGGER deliveries_updated;
DROP TRIGGER deliveries_deleted;
-- What was already decided is written to its rows.
UPDATE deliveries SET state = settlements.state, reason = settlements.reason, updated_at = settlements.at, lease = NULL,
    due_at = CASE WHEN settlements.state = 'pending' THEN settlements.at END,
    retries = CASE WHEN settlements.state = 'pending' THEN 0 ELSE retries END,
    trigger = CASE WHEN settlements.state = 'pending' THEN 'recover' ELSE trigger END
FROM settlements WHERE settlements.webhook_id = deliveries.webhook_id AND (
    (settlements.generation = deliveries.generation AND deliveries.due_at IS NOT NULL)
    OR (deliveries.state IN ('exhausted', 'skipped') AND deliveries.kind <> 'test'
        AND deliveries.updated_at BETWEEN settlements.since AND settlements.until)
);
UPDATE events SET payload = NULL WHERE payload IS NOT NULL
    AND id IN (SELECT event_id FROM deliveries JOIN erasures USING (webhook_id))
    AND NOT EXISTS (
        SELECT 1 FROM deliveries JOIN webhooks ON webhooks.id = deliveries.webhook_id
        WHERE deliveries.event_id = events.id
    );
DROP TABLE settlements;
DROP TABLE erasures;
DROP TABLE delivery_counts;
DROP INDEX deliveries_due;
DROP INDEX deliveries_in_progress;
DROP INDEX deliveries_recoverable;
ALTER TABLE deliveries DROP COLUMN urgency;
ALTER TABLE deliveries DROP COLUMN generation;
CREATE INDEX deliveries_due ON deliveries (webhook_id, is_late, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_progress ON deliveries (webhook_id, due_at) WHERE state = 'in_progress';
ALTER TABLE webhooks DROP COLUMN generation;
