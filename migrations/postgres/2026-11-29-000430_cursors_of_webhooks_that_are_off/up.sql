-- A webhook that is off follows the feed too: its events get skipped deliveries. It begins at the end of the feed.
INSERT INTO feed_cursors (webhook_id, kind, company_id, position, ordinal)
SELECT webhooks.id, kinds.kind, webhooks.company_id,
       (SELECT base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1 FROM change_base WHERE id = 1),
       2147483647
FROM webhooks
JOIN (SELECT 2 AS bit, 'contactsChanged' AS kind UNION ALL SELECT 4, 'fieldsChanged' UNION ALL SELECT 8, 'syncsChanged') AS kinds
  ON (webhooks.events & kinds.bit) <> 0
WHERE webhooks.disabled_reason IS NOT NULL
ON CONFLICT (webhook_id, kind) DO NOTHING;
INSERT INTO compatible_migrations (version) VALUES ('20261129000430');
