-- With SQLite one process counts calls in its memory, and there is nothing to share.
INSERT INTO compatible_migrations (version) VALUES ('20261122000060');
