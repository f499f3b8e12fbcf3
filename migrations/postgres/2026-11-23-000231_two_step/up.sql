-- The secret from which a user's app computes codes, and the last step whose code was used.
CREATE TABLE two_step (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    secret_id uuid NOT NULL UNIQUE,
    key_id text NOT NULL,
    sealed bytea NOT NULL,
    last_step bigint NOT NULL,
    since timestamptz NOT NULL
);

-- Each is deleted when it is used.
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- Whether the second step of signing in is missing.
ALTER TABLE sessions ADD COLUMN awaits_code boolean NOT NULL DEFAULT false;
-- Whether users of the company have to set up two-step verification.
ALTER TABLE companies ADD COLUMN requires_two_step boolean NOT NULL DEFAULT false;
