-- Which alerts users get. A kind without a row has its default.
CREATE TABLE alert_choices (
    company_id uuid NOT NULL,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind text NOT NULL,
    by_email boolean NOT NULL,
    PRIMARY KEY (company_id, user_id, kind)
);
CREATE INDEX alert_choices_by_user ON alert_choices (user_id);

-- Alerts that wait for an email: one row for all of a user about one object. The batch is that of the email which is
-- being sent, or zero.
CREATE TABLE alerts (
    company_id uuid NOT NULL,
    user_id uuid NOT NULL,
    batch uuid NOT NULL,
    kind text NOT NULL,
    object_id uuid NOT NULL,
    name text NOT NULL,
    detail text NOT NULL,
    times integer NOT NULL,
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, user_id, batch, kind, object_id)
);

-- The next email of each user who has alerts, or got one a short while ago. It is due once alerts were collected since
-- the moment.
CREATE TABLE alert_mails (
    company_id uuid NOT NULL,
    user_id uuid NOT NULL,
    since timestamptz NOT NULL,
    batch uuid,
    lease uuid,
    attempts integer NOT NULL,
    first_attempt_at timestamptz,
    PRIMARY KEY (company_id, user_id)
);
CREATE INDEX alert_mails_by_since ON alert_mails (since);

-- Whether it was looked at because it expires soon.
ALTER TABLE api_keys ADD COLUMN expiry_noted boolean NOT NULL DEFAULT false;
CREATE INDEX api_keys_by_expiry ON api_keys (expires_at)
    WHERE expires_at IS NOT NULL AND revoked_at IS NULL AND NOT expiry_noted;
INSERT INTO compatible_migrations (version) VALUES ('20261124000250');
