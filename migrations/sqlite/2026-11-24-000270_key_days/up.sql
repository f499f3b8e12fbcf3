-- The calls with a key on one day, in UTC, of all instances.
CREATE TABLE key_days (
    company_id BLOB NOT NULL REFERENCES companies (id),
    key_id BLOB NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (company_id, key_id, day)
) STRICT, WITHOUT ROWID;
-- Finds the old days of a company.
CREATE INDEX key_days_by_day ON key_days (company_id, day, key_id);
