-- An index of SQLite changes with this version.
INSERT INTO compatible_migrations (version) VALUES ('20261126000380');
