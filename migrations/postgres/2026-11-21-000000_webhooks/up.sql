CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    name text NOT NULL,
    url text NOT NULL,
    events smallint NOT NULL,
    -- Null while it is on.
    disabled_reason text CHECK (disabled_reason IN ('by_hand', 'gone', 'failing')),
    failing_since timestamptz,
    failed_attempts integer NOT NULL,
    warning boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX webhooks_by_company ON webhooks (company_id, id);

-- Sealed secrets. The current one has no end.
CREATE TABLE webhook_secrets (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    key_id text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz
);
CREATE INDEX webhook_secrets_by_webhook ON webhook_secrets (webhook_id, id);

-- The payload is text whose bytes are signed and sent. It is null when the last webhook that it went to was deleted.
CREATE TABLE events (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    kind text NOT NULL,
    sync_id uuid,
    payload text,
    created_at timestamptz NOT NULL
);

-- A delivery outlives its webhook and its sync. due_at is when it is tried next or, while it is in progress, when its
-- lease ends; it is null once the delivery is closed. retries counts from when it was last set going.
CREATE TABLE deliveries (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    event_id uuid NOT NULL REFERENCES events,
    webhook_id uuid NOT NULL,
    sync_id uuid,
    kind text NOT NULL,
    state text NOT NULL CHECK (
        state IN ('pending', 'in_progress', 'retrying', 'succeeded', 'exhausted', 'cancelled', 'skipped')
    ),
    trigger text NOT NULL CHECK (trigger IN ('scheduled', 'resend', 'recover', 'test')),
    attempts integer NOT NULL,
    retries integer NOT NULL,
    is_late boolean NOT NULL GENERATED ALWAYS AS (retries > 0) STORED,
    due_at timestamptz,
    lease uuid,
    reason text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((due_at IS NOT NULL) = (state IN ('pending', 'in_progress', 'retrying')))
) WITH (fillfactor = 80);
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
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    delivery_id uuid NOT NULL REFERENCES deliveries ON DELETE CASCADE,
    number integer NOT NULL,
    trigger text NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms bigint NOT NULL,
    status_code integer,
    error_class text,
    retry_after_ms bigint,
    answer text,
    UNIQUE (delivery_id, number),
    CHECK ((status_code IS NULL) <> (error_class IS NULL))
);
