-- The public keys of passkeys, in the form of the library that checks them, and how often each was used.
CREATE TABLE passkeys (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    credential_id bytea NOT NULL UNIQUE,
    public_key text NOT NULL,
    counter bigint NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at, id);

-- Challenges that wait for an answer. Each is deleted when it is answered.
CREATE TABLE passkey_challenges (
    token_hash bytea PRIMARY KEY,
    purpose text NOT NULL,
    session_id uuid REFERENCES sessions ON DELETE CASCADE,
    network text NOT NULL,
    state text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_by_session ON passkey_challenges (session_id);
-- Finds the oldest of a network, and the oldest of all.
CREATE INDEX passkey_challenges_by_network ON passkey_challenges (network, created_at);
CREATE INDEX passkey_challenges_by_age ON passkey_challenges (created_at);
