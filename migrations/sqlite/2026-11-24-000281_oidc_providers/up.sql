-- The identity providers that companies set.
CREATE TABLE oidc_providers (
    id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    name TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    scopes TEXT NOT NULL,
    trusts_emails INTEGER NOT NULL,
    creates_users INTEGER NOT NULL,
    group_claim TEXT,
    group_permissions TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    secret_id BLOB NOT NULL UNIQUE,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL
) STRICT;
CREATE INDEX oidc_providers_of_company ON oidc_providers (company_id, created_at, id);

-- The domains of emails that the operator allows companies, and the providers that have them.
CREATE TABLE oidc_domains (
    domain TEXT NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    provider_id BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_domains_of_company ON oidc_domains (company_id, domain);
CREATE INDEX oidc_domains_with_provider ON oidc_domains (provider_id) WHERE provider_id IS NOT NULL;
