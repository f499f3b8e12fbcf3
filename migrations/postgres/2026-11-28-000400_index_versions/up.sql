-- Raised with each change of index_state, which may return to the same state while an instance does not look.
ALTER TABLE fields ADD COLUMN index_version integer NOT NULL DEFAULT 0;
INSERT INTO compatible_migrations (version) VALUES ('20261128000400');
