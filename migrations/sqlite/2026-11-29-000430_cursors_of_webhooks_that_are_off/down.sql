DELETE FROM compatible_migrations WHERE version = '20261129000430';
DELETE FROM feed_cursors WHERE webhook_id IN (SELECT id FROM webhooks WHERE disabled_reason IS NOT NULL);
