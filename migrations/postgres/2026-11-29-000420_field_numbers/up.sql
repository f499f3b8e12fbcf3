-- The index of values of SQLite changes with this version. That of PostgreSQL has the ids of fields.
INSERT INTO compatible_migrations (version) VALUES ('20261129000420');
