-- The search index of SQLite changes with this version. That of PostgreSQL has no positions.
INSERT INTO compatible_migrations (version) VALUES ('20261126000360');
