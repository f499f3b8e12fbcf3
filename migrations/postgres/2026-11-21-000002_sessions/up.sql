-- Who signs in is found by email in all companies; the password tells which user is meant.
CREATE INDEX users_by_email ON users (email_identity);
-- Lists, in the order of creation.
CREATE INDEX users_by_created_at ON users (company_id, created_at, id);

-- What signing in needs belongs to its user and goes with it.
CREATE TABLE user_passwords (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    password_hash text NOT NULL,
    set_at timestamptz NOT NULL
);

CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);

-- A user has one link at most.
CREATE TABLE sign_in_links (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE,
    purpose text NOT NULL CHECK (purpose IN ('sign_in', 'set_password')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
