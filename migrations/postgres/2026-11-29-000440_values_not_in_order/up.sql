-- SQLite gets an index with this version. PostgreSQL sorts the contacts of one value.
INSERT INTO compatible_migrations (version) VALUES ('20261129000440');
