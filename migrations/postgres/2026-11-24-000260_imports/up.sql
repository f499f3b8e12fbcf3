-- What the last import of each user did.
CREATE TABLE imports (
    company_id uuid NOT NULL REFERENCES companies,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    refused bigint NOT NULL,
    ended_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, user_id)
);
-- Finds what goes with a user.
CREATE INDEX imports_by_user ON imports (user_id);
CREATE INDEX imports_with_refused_rows ON imports (company_id, ended_at) WHERE refused > 0;
