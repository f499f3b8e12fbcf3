-- Which alerts users get. A kind without a row has its default.
CREATE TABLE alert_choices (
    company_id BLOB NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    by_email INTEGER NOT NULL,
    PRIMARY KEY (company_id, user_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_choices_by_user ON alert_choices (user_id);

-- Alerts that wait for an email: one row for all of a user about one object. The batch is that of the email which is
-- being sent, or zero.
CREATE TABLE alerts (
    company_id BLOB NOT NULL,
    user_id BLOB NOT NULL,
    batch BLOB NOT NULL,
    kind TEXT NOT NULL,
    object_id BLOB NOT NULL,
    name TEXT NOT NULL,
    detail TEXT NOT NULL,
    times INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, user_id, batch, kind, object_id)
) STRICT, WITHOUT ROWID;

-- The next email of each user who has alerts, or got one a short while ago. It is due once alerts were collected since
-- the moment.
CREATE TABLE alert_mails (
    company_id BLOB NOT NULL,
    user_id BLOB NOT NULL,
    since INTEGER NOT NULL,
    batch BLOB,
    lease BLOB,
    attempts INTEGER NOT NULL,
    first_attempt_at INTEGER,
    PRIMARY KEY (company_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_mails_by_since ON alert_mails (since);

-- Whether it was looked at because it expires soon.
ALTER TABLE api_keys ADD COLUMN expiry_noted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX api_keys_by_expiry ON api_keys (expires_at)
    WHERE expires_at IS NOT NULL AND revoked_at IS NULL AND NOT expiry_noted;
INSERT INTO compatible_migrations (version) VALUES ('20261124000250');
