CREATE TABLE webhooks (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    events INTEGER NOT NULL,
    -- Null while it is on.
    disabled_reason TEXT CHECK (disabled_reason IN ('by_hand', 'gone', 'failing')),
    failing_since INTEGER,
    failed_attempts INTEGER NOT NULL,
    warning INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_company ON webhooks (company_id, id);

-- Sealed secrets. The current one has no end.
CREATE TABLE webhook_secrets (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    webhook_id BLOB NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;
CREATE INDEX webhook_secrets_by_webhook ON webhook_secrets (webhook_id, id);

-- The payload is text whose bytes are signed and sent. It is null when the last webhook that it went to was deleted.
CREATE TABLE events (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    kind TEXT NOT NULL,
    sync_id BLOB,
    payload TEXT,
    created_at INTEGER NOT NULL
) STRICT;

-- A delivery outlives its webhook and its sync. due_at is when it is tried next or, while it is in progress, when its
-- lease ends; it is null once the delivery is closed. retries counts from when it was last set going.
CREATE TABLE deliveries (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    event_id BLOB NOT NULL REFERENCES events (id),
    webhook_id BLOB NOT NULL,
    sync_id BLOB,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN ('pending', 'in_progress', 'retrying', 'succeeded', 'exhausted', 'cancelled', 'skipped')
    ),
    trigger TEXT NOT NULL CHECK (trigger IN ('scheduled', 'resend', 'recover', 'test')),
    attempts INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    is_late INTEGER NOT NULL GENERATED ALWAYS AS (retries > 0) STORED,
    due_at INTEGER,
    lease BLOB,
    reason TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK ((due_at IS NOT NULL) = (state IN ('pending', 'in_progress', 'retrying')))
) STRICT;
-- What is due, for each webhook with first tries ahead of retries, and the earliest of all.
CREATE INDEX deliveries_due ON deliveries (webhook_id, is_late, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_due_first ON deliveries (due_at) WHERE due_at IS NOT NULL;
-- What is in progress for each webhook; few rows at any time.
CREATE INDEX deliveries_in_progress ON deliveries (webhook_id, due_at) WHERE state = 'in_progress';
-- Lists, newest first.
CREATE INDEX deliveries_by_company ON deliveries (company_id, id);
CREATE INDEX deliveries_by_state ON deliveries (company_id, state, id);
CREATE INDEX deliveries_by_webhook ON deliveries (company_id, webhook_id, id);
CREATE INDEX deliveries_by_sync ON deliveries (company_id, sync_id, id);
-- The deliveries of an event, and what is old enough to be deleted.
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_closed ON deliveries (updated_at) WHERE due_at IS NULL;

CREATE TABLE delivery_attempts (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    delivery_id BLOB NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    trigger TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status_code INTEGER,
    error_class TEXT,
    retry_after_ms INTEGER,
    answer TEXT,
    UNIQUE (delivery_id, number),
    CHECK ((status_code IS NULL) <> (error_class IS NULL))
) STRICT;
