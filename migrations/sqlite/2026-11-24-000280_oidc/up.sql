-- Sign-ins by identity providers that have begun.
CREATE TABLE oidc_attempts (
    browser_hash BLOB NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    next TEXT NOT NULL,
    session_id BLOB,
    started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Finds those that are over, and the oldest.
CREATE INDEX oidc_attempts_by_start ON oidc_attempts (started_at, browser_hash);

-- The names by which identity providers know users.
CREATE TABLE oidc_subjects (
    provider TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    linked_at INTEGER NOT NULL,
    PRIMARY KEY (provider, issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX oidc_subjects_by_user ON oidc_subjects (user_id, provider, issuer);

-- Whether the provider by which its user signed in asked for several factors.
ALTER TABLE sessions ADD COLUMN used_many_factors INTEGER NOT NULL DEFAULT 0;
INSERT INTO compatible_migrations (version) VALUES ('20261124000280');
