-- The public keys of passkeys, in the form of the library that checks them, and how often each was used.
CREATE TABLE passkeys (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    credential_id BLOB NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter INTEGER NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at, id);

-- Challenges that wait for an answer. Each is deleted when it is answered.
CREATE TABLE passkey_challenges (
    token_hash BLOB NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL,
    session_id BLOB REFERENCES sessions (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX passkey_challenges_by_session ON passkey_challenges (session_id);
-- Finds the oldest of a network, and the oldest of all.
CREATE INDEX passkey_challenges_by_network ON passkey_challenges (network, created_at);
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (created_at);
