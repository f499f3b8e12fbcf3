-- The answers of calls with an idempotency key. `key_id` is the master key that sealed the answer, if it has a secret.
-- Users are not referred to: a cluster spreads this table by company, as it does those of contacts.
CREATE TABLE kept_answers (
    company_id uuid NOT NULL REFERENCES companies (id),
    user_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint bytea NOT NULL,
    kept_at timestamptz NOT NULL,
    sealed_id uuid,
    key_id text,
    answer bytea NOT NULL,
    PRIMARY KEY (company_id, user_id, key)
);
CREATE INDEX kept_answers_by_age ON kept_answers (company_id, kept_at);
CREATE INDEX kept_answers_sealed ON kept_answers (sealed_id) WHERE sealed_id IS NOT NULL;
