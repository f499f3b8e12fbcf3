-- Who signs in is found by email in all companies; the password tells which user is meant.
CREATE INDEX users_by_email ON users (email_identity);
-- Lists, in the order of creation.
CREATE INDEX users_by_created_at ON users (company_id, created_at, id);

-- What signing in needs belongs to its user and goes with it.
CREATE TABLE user_passwords (
    user_id BLOB NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    password_hash TEXT NOT NULL,
    set_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);

-- A user has one link at most.
CREATE TABLE sign_in_links (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'set_password')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
