-- Who did what. Entries are only inserted, and deleted by their age. actor_id and key_id are nil for the service itself, its
-- operator and sessions. counts, old_settings and new_settings are JSON documents.
CREATE TABLE audit (
    company_id uuid NOT NULL,
    position bigint NOT NULL,
    ordinal integer NOT NULL,
    at timestamptz NOT NULL,
    action text NOT NULL,
    object_id uuid NOT NULL,
    actor_id uuid NOT NULL,
    key_id uuid NOT NULL,
    address text,
    request_id text,
    counts text,
    old_settings text,
    new_settings text,
    PRIMARY KEY (company_id, position, ordinal)
);
CREATE INDEX audit_by_at ON audit (company_id, at, position, ordinal);
CREATE INDEX audit_by_actor ON audit (company_id, actor_id, at, position, ordinal);
CREATE INDEX audit_by_action ON audit (company_id, action, at, position, ordinal);
CREATE INDEX audit_by_object ON audit (company_id, object_id, at, position, ordinal);
