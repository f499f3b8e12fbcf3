-- What the last import of each user did.
CREATE TABLE imports (
    company_id BLOB NOT NULL REFERENCES companies (id),
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, user_id)
) STRICT, WITHOUT ROWID;
-- Finds what goes with a user.
CREATE INDEX imports_by_user ON imports (user_id);
CREATE INDEX imports_with_refused_rows ON imports (company_id, ended_at) WHERE refused > 0;
