-- Set when a webhook is switched off or unsubscribed: the cursor passes the entries up to until_position, which were made
-- before, and is then deleted. If the webhook is switched on again meanwhile, it goes on after resume_position instead.
ALTER TABLE feed_cursors ADD COLUMN until_position INTEGER;
ALTER TABLE feed_cursors ADD COLUMN resume_position INTEGER;
INSERT INTO compatible_migrations (version) VALUES ('20261128000410');
