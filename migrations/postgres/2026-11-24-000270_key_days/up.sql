-- The calls with a key on one day, in UTC, of all instances.
CREATE TABLE key_days (
    company_id uuid NOT NULL REFERENCES companies,
    key_id uuid NOT NULL,
    day timestamptz NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (company_id, key_id, day)
);
-- Finds the old days of a company.
CREATE INDEX key_days_by_day ON key_days (company_id, day, key_id);
