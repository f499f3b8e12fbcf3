-- Whether alerts go to webhooks that are subscribed to them.
ALTER TABLE alert_choices ADD COLUMN by_webhook boolean NOT NULL DEFAULT false;

-- Alerts of which no event was made yet.
CREATE TABLE alert_events (
    company_id uuid NOT NULL,
    at timestamptz NOT NULL,
    kind text NOT NULL,
    object_id uuid NOT NULL,
    name text NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (company_id, at, kind, object_id)
);
