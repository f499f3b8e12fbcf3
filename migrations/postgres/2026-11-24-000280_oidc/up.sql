-- Sign-ins by identity providers that have begun.
CREATE TABLE oidc_attempts (
    browser_hash bytea PRIMARY KEY,
    provider text NOT NULL,
    next text NOT NULL,
    session_id uuid,
    started_at timestamptz NOT NULL
);
-- Finds those that are over, and the oldest.
CREATE INDEX oidc_attempts_by_start ON oidc_attempts (started_at, browser_hash);

-- The names by which identity providers know users.
CREATE TABLE oidc_subjects (
    provider text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    linked_at timestamptz NOT NULL,
    PRIMARY KEY (provider, issuer, subject)
);
CREATE UNIQUE INDEX oidc_subjects_by_user ON oidc_subjects (user_id, provider, issuer);

-- Whether the provider by which its user signed in asked for several factors.
ALTER TABLE sessions ADD COLUMN used_many_factors boolean NOT NULL DEFAULT false;
INSERT INTO compatible_migrations (version) VALUES ('20261124000280');
