-- How many attempts at a webhook succeeded and failed in each hour, without tests, and the last one. Rows are written in
-- the transaction that records the attempts, and deleted by their age.
CREATE TABLE delivery_outcomes (
    company_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    succeeded bigint NOT NULL,
    failed bigint NOT NULL,
    last_at timestamptz NOT NULL,
    last_status integer,
    last_error text,
    PRIMARY KEY (company_id, webhook_id, hour)
) WITH (fillfactor = 70);
CREATE INDEX delivery_outcomes_by_hour ON delivery_outcomes (company_id, hour, webhook_id);
