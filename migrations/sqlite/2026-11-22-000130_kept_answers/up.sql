-- The answers of calls with an idempotency key. `key_id` is the master key that sealed the answer, if it has a secret.
CREATE TABLE kept_answers (
    company_id BLOB NOT NULL REFERENCES companies (id),
    user_id BLOB NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    kept_at INTEGER NOT NULL,
    sealed_id BLOB,
    key_id TEXT,
    answer BLOB NOT NULL,
    PRIMARY KEY (company_id, user_id, key)
) STRICT;
CREATE INDEX kept_answers_by_age ON kept_answers (company_id, kept_at);
CREATE INDEX kept_answers_sealed ON kept_answers (sealed_id) WHERE sealed_id IS NOT NULL;
