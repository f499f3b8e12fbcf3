-- The secret from which a user's app computes codes, and the last step whose code was used.
CREATE TABLE two_step (
    user_id BLOB NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret_id BLOB NOT NULL UNIQUE,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    last_step INTEGER NOT NULL,
    since INTEGER NOT NULL
) STRICT;

-- Each is deleted when it is used.
CREATE TABLE recovery_codes (
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash BLOB NOT NULL,
    PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- Whether the second step of signing in is missing.
ALTER TABLE sessions ADD COLUMN awaits_code INTEGER NOT NULL DEFAULT 0;
-- Whether users of the company have to set up two-step verification.
ALTER TABLE companies ADD COLUMN requires_two_step INTEGER NOT NULL DEFAULT 0;
