-- Lists of contacts that users saved. What a view shows is the query of its address.
CREATE TABLE saved_views (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    is_shared INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_views_of_user ON saved_views (company_id, user_id, created_at, id);
-- Finds what goes with a user.
CREATE INDEX saved_views_by_user ON saved_views (user_id);
CREATE INDEX shared_views ON saved_views (company_id, created_at, id) WHERE is_shared;
