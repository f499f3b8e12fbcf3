DROP TABLE alert_events;
ALTER TABLE alert_choices DROP COLUMN by_webhook;
