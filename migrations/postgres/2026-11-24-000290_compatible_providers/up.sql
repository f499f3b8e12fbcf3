-- Older programs can work with the tables of companies' identity providers, which they do not know. Until all instances
-- are new, only the deletion of a company that has such a provider waits.
INSERT INTO compatible_migrations (version) VALUES ('20261124000281'), ('20261124000290');
