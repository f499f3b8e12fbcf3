-- A program refuses a schema with migrations that it does not know, unless all of them are named here. A migration that
-- older programs can work with adds its own version: INSERT INTO compatible_migrations (version) VALUES ('20261122000010');
CREATE TABLE compatible_migrations (
    version TEXT NOT NULL PRIMARY KEY
) STRICT;
INSERT INTO compatible_migrations (version) VALUES ('20261122000010');
