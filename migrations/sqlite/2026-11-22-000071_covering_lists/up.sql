-- The indexes of PostgreSQL change with this version. SQLite reads few rows for any list as it is.
INSERT INTO compatible_migrations (version) VALUES ('20261122000071');
