-- The windows of rate limits that instances share. Losing them in a crash only means that calls before it no longer
-- count, so they are not logged. A window's key is a hash, and its slices are the moments of calls and the leases that
-- instances hold. Its version changes with each write.
CREATE UNLOGGED TABLE rate_windows (
    key bytea PRIMARY KEY,
    version uuid NOT NULL,
    slices json NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX rate_windows_by_expiry ON rate_windows (expires_at);
INSERT INTO compatible_migrations (version) VALUES ('20261122000060');
