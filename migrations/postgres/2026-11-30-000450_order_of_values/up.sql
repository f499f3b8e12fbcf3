-- SQLite gets a column with this version. PostgreSQL sorts the contacts of one value.
INSERT INTO compatible_migrations (version) VALUES ('20261130000450');
