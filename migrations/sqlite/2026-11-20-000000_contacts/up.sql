-- Ids are the 16 bytes of a UUID, moments are microseconds since 1970 in UTC.

CREATE TABLE companies (
    id BLOB NOT NULL PRIMARY KEY,
    directory_id BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    product_access INTEGER NOT NULL,
    allowed_domains TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    email TEXT NOT NULL,
    email_identity TEXT NOT NULL,
    permissions INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (company_id, email_identity)
) STRICT;

CREATE TABLE api_keys (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    token_start TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at, id);

-- Fields never change and are never deleted. The position is the order of creation.
CREATE TABLE fields (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('string', 'number', 'date', 'datetime', 'boolean')),
    UNIQUE (company_id, position),
    UNIQUE (company_id, key)
) STRICT;

-- One row for each email identity of a company, deleted ones included.
CREATE TABLE contacts (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    email TEXT NOT NULL,
    email_identity TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    first_name TEXT NOT NULL,
    first_name_folded TEXT NOT NULL,
    last_name TEXT NOT NULL,
    last_name_folded TEXT NOT NULL,
    avatar_url TEXT,
    field_values TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    UNIQUE (company_id, email_identity)
) STRICT;

-- How many active contacts a company has.
CREATE TABLE contact_counts (
    company_id BLOB NOT NULL PRIMARY KEY REFERENCES companies (id),
    active INTEGER NOT NULL CHECK (active >= 0)
) STRICT;

-- How many active contacts have a value. sort_key is the head of the bytes by which the type orders its values;
-- sort_rest is what does not fit, and identity tells values with one head apart.
CREATE TABLE field_value_uses (
    field_id BLOB NOT NULL REFERENCES fields (id),
    sort_key BLOB NOT NULL,
    identity BLOB NOT NULL,
    sort_rest BLOB NOT NULL,
    value TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (field_id, sort_key, identity)
) STRICT, WITHOUT ROWID;
