CREATE TABLE companies (
    id uuid PRIMARY KEY,
    directory_id uuid NOT NULL UNIQUE,
    name text NOT NULL,
    product_access boolean NOT NULL,
    allowed_domains json NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE users (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    email text NOT NULL,
    email_identity text COLLATE "C" NOT NULL,
    permissions smallint NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (company_id, email_identity)
);

CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    name text NOT NULL,
    token_start text NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL
);
CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at, id);

-- Fields never change and are never deleted. The position is the order of creation.
CREATE TABLE fields (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    position integer NOT NULL,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    type text NOT NULL CHECK (type IN ('string', 'number', 'date', 'datetime', 'boolean')),
    UNIQUE (company_id, position),
    UNIQUE (company_id, key)
);

-- One row for each email identity of a company, deleted ones included.
-- field_values is json, not jsonb: a number keeps the spelling in which it was sent.
CREATE TABLE contacts (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    email text NOT NULL,
    email_identity text COLLATE "C" NOT NULL,
    email_folded text COLLATE "C" NOT NULL,
    first_name text NOT NULL,
    first_name_folded text COLLATE "C" NOT NULL,
    last_name text NOT NULL,
    last_name_folded text COLLATE "C" NOT NULL,
    avatar_url text,
    field_values json NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    UNIQUE (company_id, email_identity)
);

-- How many active contacts a company has. Locked last in every transaction.
CREATE TABLE contact_counts (
    company_id uuid PRIMARY KEY REFERENCES companies,
    active bigint NOT NULL CHECK (active >= 0)
) WITH (fillfactor = 50);

-- How many active contacts have a value. sort_key is the head of the bytes by which the type orders its values;
-- sort_rest is what does not fit, and identity tells values with one head apart.
CREATE TABLE field_value_uses (
    field_id uuid NOT NULL REFERENCES fields,
    sort_key bytea NOT NULL,
    identity bytea NOT NULL,
    sort_rest bytea NOT NULL,
    value json NOT NULL,
    uses bigint NOT NULL,
    PRIMARY KEY (field_id, sort_key, identity)
) WITH (fillfactor = 80);
