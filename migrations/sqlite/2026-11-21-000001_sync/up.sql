-- text_is_made: the text was made from the HTML and changes with it.
CREATE TABLE assets (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('email', 'landing_page')),
    subject TEXT,
    preheader TEXT,
    html TEXT NOT NULL,
    text TEXT NOT NULL,
    text_is_made INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (company_id, id),
    CHECK ((type = 'email') = (subject IS NOT NULL)),
    CHECK (type = 'email' OR preheader IS NULL)
) STRICT;
CREATE INDEX assets_by_created_at ON assets (company_id, created_at, id);

-- merge_tag_mapping is null when the company has no texts of its own.
CREATE TABLE integrations (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    name TEXT NOT NULL,
    takes_emails INTEGER NOT NULL,
    takes_landing_pages INTEGER NOT NULL,
    merge_tag_format TEXT NOT NULL,
    merge_tag_mapping TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK (takes_emails OR takes_landing_pages)
) STRICT;
CREATE INDEX integrations_by_created_at ON integrations (company_id, created_at, id);

-- A sync outlives its integration, so it does not refer to it.
CREATE TABLE syncs (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    asset_id BLOB NOT NULL,
    integration_id BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('requested', 'completed', 'failed', 'superseded', 'withdrawn')),
    map_id TEXT,
    map_url TEXT,
    error_message TEXT,
    requested_by TEXT,
    requested_at INTEGER NOT NULL,
    reported_at INTEGER,
    FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CHECK ((state = 'completed') = (map_id IS NOT NULL)),
    CHECK ((state = 'completed') = (map_url IS NOT NULL)),
    CHECK ((state = 'failed') = (error_message IS NOT NULL)),
    CHECK ((state IN ('completed', 'failed')) = (reported_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX syncs_open ON syncs (asset_id, integration_id) WHERE state = 'requested';
CREATE INDEX syncs_open_by_integration ON syncs (company_id, integration_id) WHERE state = 'requested';
CREATE INDEX syncs_by_asset ON syncs (company_id, asset_id, requested_at, id);
CREATE INDEX syncs_by_integration ON syncs (company_id, asset_id, integration_id, requested_at, id);
