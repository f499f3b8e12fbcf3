-- Whether alerts go to webhooks that are subscribed to them.
ALTER TABLE alert_choices ADD COLUMN by_webhook INTEGER NOT NULL DEFAULT 0;

-- Alerts of which no event was made yet.
CREATE TABLE alert_events (
    company_id BLOB NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    object_id BLOB NOT NULL,
    name TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (company_id, at, kind, object_id)
) STRICT, WITHOUT ROWID;
