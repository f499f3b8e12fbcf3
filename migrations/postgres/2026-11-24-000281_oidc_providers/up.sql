-- The identity providers that companies set.
CREATE TABLE oidc_providers (
    id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    scopes json NOT NULL,
    trusts_emails boolean NOT NULL,
    creates_users boolean NOT NULL,
    group_claim text,
    group_permissions json NOT NULL,
    created_at timestamptz NOT NULL,
    secret_id uuid NOT NULL UNIQUE,
    key_id text NOT NULL,
    sealed bytea NOT NULL
);
CREATE INDEX oidc_providers_of_company ON oidc_providers (company_id, created_at, id);

-- The domains of emails that the operator allows companies, and the providers that have them.
CREATE TABLE oidc_domains (
    domain text PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    provider_id uuid
);
CREATE INDEX oidc_domains_of_company ON oidc_domains (company_id, domain);
CREATE INDEX oidc_domains_with_provider ON oidc_domains (provider_id) WHERE provider_id IS NOT NULL;
