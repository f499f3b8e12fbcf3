-- On SQLite a kept answer still refers to its company: there a transaction that writes excludes all others.
INSERT INTO compatible_migrations (version) VALUES ('20261126000370');
