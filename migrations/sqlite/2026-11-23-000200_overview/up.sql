-- The calls with the keys of a company in one hour, as one instance counted them. peak is the most that a user had used
-- of a rate limit at once, in percent.
CREATE TABLE call_counts (
    company_id BLOB NOT NULL REFERENCES companies (id),
    hour INTEGER NOT NULL,
    instance_id BLOB NOT NULL,
    admitted INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    peak INTEGER NOT NULL,
    PRIMARY KEY (company_id, hour, instance_id)
) STRICT, WITHOUT ROWID;

-- The number of a company's active contacts when a day, in UTC, was last looked at.
CREATE TABLE contact_days (
    company_id BLOB NOT NULL REFERENCES companies (id),
    day INTEGER NOT NULL,
    active INTEGER NOT NULL,
    PRIMARY KEY (company_id, day)
) STRICT, WITHOUT ROWID;

-- Counts the syncs of a company by their state, and finds the latest ones of a state.
CREATE INDEX syncs_by_state ON syncs (company_id, state, requested_at, id);
