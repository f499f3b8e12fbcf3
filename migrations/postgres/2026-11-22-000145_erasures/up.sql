-- Finds the events whose payloads may have an entry of a contact that is erased.
CREATE INDEX events_of_contacts ON events (company_id, created_at) WHERE kind = 'contactsChanged';

-- Keyed hashes of the emails of erased people that no contact may have.
CREATE TABLE blocked_emails (
    company_id uuid NOT NULL REFERENCES companies,
    digest bytea NOT NULL,
    PRIMARY KEY (company_id, digest)
);

-- In one row: the key of these hashes, sealed under the master key `key_id`.
CREATE TABLE blocked_email_key (
    id smallint PRIMARY KEY CHECK (id = 1),
    secret_id uuid NOT NULL,
    key_id text NOT NULL,
    sealed bytea NOT NULL
);
