-- Lists of contacts that users saved. What a view shows is the query of its address.
CREATE TABLE saved_views (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL,
    query text NOT NULL,
    is_shared boolean NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX saved_views_of_user ON saved_views (company_id, user_id, created_at, id);
-- Finds what goes with a user.
CREATE INDEX saved_views_by_user ON saved_views (user_id);
CREATE INDEX shared_views ON saved_views (company_id, created_at, id) WHERE is_shared;
