-- How many attempts at a webhook succeeded and failed in each hour, without tests, and the last one. Rows are written in
-- the transaction that records the attempts, and deleted by their age.
CREATE TABLE delivery_outcomes (
    company_id BLOB NOT NULL,
    webhook_id BLOB NOT NULL,
    hour INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    last_status INTEGER,
    last_error TEXT,
    PRIMARY KEY (company_id, webhook_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_outcomes_by_hour ON delivery_outcomes (company_id, hour, webhook_id);
