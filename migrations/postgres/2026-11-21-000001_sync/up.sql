-- text_is_made: the text was made from the HTML and changes with it.
CREATE TABLE assets (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    name text NOT NULL,
    type text NOT NULL CHECK (type IN ('email', 'landing_page')),
    subject text,
    preheader text,
    html text NOT NULL,
    text text NOT NULL,
    text_is_made boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (company_id, id),
    CHECK ((type = 'email') = (subject IS NOT NULL)),
    CHECK (type = 'email' OR preheader IS NULL)
);
CREATE INDEX assets_by_created_at ON assets (company_id, created_at, id);

-- merge_tag_mapping is null when the company has no texts of its own.
CREATE TABLE integrations (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    name text NOT NULL,
    takes_emails boolean NOT NULL,
    takes_landing_pages boolean NOT NULL,
    merge_tag_format text NOT NULL,
    merge_tag_mapping json,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (takes_emails OR takes_landing_pages)
);
CREATE INDEX integrations_by_created_at ON integrations (company_id, created_at, id);

-- A sync outlives its integration, so it does not refer to it.
CREATE TABLE syncs (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    asset_id uuid NOT NULL,
    integration_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('requested', 'completed', 'failed', 'superseded', 'withdrawn')),
    map_id text,
    map_url text,
    error_message text,
    requested_by text,
    requested_at timestamptz NOT NULL,
    reported_at timestamptz,
    FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CHECK ((state = 'completed') = (map_id IS NOT NULL)),
    CHECK ((state = 'completed') = (map_url IS NOT NULL)),
    CHECK ((state = 'failed') = (error_message IS NOT NULL)),
    CHECK ((state IN ('completed', 'failed')) = (reported_at IS NOT NULL))
);
CREATE UNIQUE INDEX syncs_open ON syncs (asset_id, integration_id) WHERE state = 'requested';
CREATE INDEX syncs_open_by_integration ON syncs (company_id, integration_id) WHERE state = 'requested';
CREATE INDEX syncs_by_asset ON syncs (company_id, asset_id, requested_at, id);
CREATE INDEX syncs_by_integration ON syncs (company_id, asset_id, integration_id, requested_at, id);
