-- Who did what. Entries are only inserted, and deleted by their age. actor_id and key_id are nil for the service itself, its
-- operator and sessions. counts, old_settings and new_settings are JSON documents.
CREATE TABLE audit (
    company_id BLOB NOT NULL,
    position INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    object_id BLOB NOT NULL,
    actor_id BLOB NOT NULL,
    key_id BLOB NOT NULL,
    address TEXT,
    request_id TEXT,
    counts TEXT,
    old_settings TEXT,
    new_settings TEXT,
    PRIMARY KEY (company_id, position, ordinal)
) STRICT;
CREATE INDEX audit_by_at ON audit (company_id, at, position, ordinal);
CREATE INDEX audit_by_actor ON audit (company_id, actor_id, at, position, ordinal);
CREATE INDEX audit_by_action ON audit (company_id, action, at, position, ordinal);
CREATE INDEX audit_by_object ON audit (company_id, object_id, at, position, ordinal);
