-- The calls with the keys of a company in one hour, as one instance counted them. peak is the most that a user had used
-- of a rate limit at once, in percent.
CREATE TABLE call_counts (
    company_id uuid NOT NULL REFERENCES companies,
    hour timestamptz NOT NULL,
    instance_id uuid NOT NULL,
    admitted bigint NOT NULL,
    refused bigint NOT NULL,
    peak bigint NOT NULL,
    PRIMARY KEY (company_id, hour, instance_id)
);

-- The number of a company's active contacts when a day, in UTC, was last looked at.
CREATE TABLE contact_days (
    company_id uuid NOT NULL REFERENCES companies,
    day timestamptz NOT NULL,
    active bigint NOT NULL,
    PRIMARY KEY (company_id, day)
);

-- Counts the syncs of a company by their state, and finds the latest ones of a state.
CREATE INDEX syncs_by_state ON syncs (company_id, state, requested_at, id);
