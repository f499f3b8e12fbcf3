-- Finds the events whose payloads may have an entry of a contact that is erased.
CREATE INDEX events_of_contacts ON events (company_id, created_at) WHERE kind = 'contactsChanged';

-- Keyed hashes of the emails of erased people that no contact may have.
CREATE TABLE blocked_emails (
    company_id BLOB NOT NULL REFERENCES companies (id),
    digest BLOB NOT NULL,
    PRIMARY KEY (company_id, digest)
) STRICT, WITHOUT ROWID;

-- In one row: the key of these hashes, sealed under the master key `key_id`.
CREATE TABLE blocked_email_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret_id BLOB NOT NULL,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL
) STRICT;
