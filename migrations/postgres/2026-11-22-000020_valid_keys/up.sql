-- A user's keys that are not revoked are counted when another one is created. The revoked ones may be any number.
CREATE INDEX api_keys_not_revoked ON api_keys (user_id, expires_at) WHERE revoked_at IS NULL;
INSERT INTO compatible_migrations (version) VALUES ('20261122000020');
