DROP TABLE oidc_domains;
DROP TABLE oidc_providers;
