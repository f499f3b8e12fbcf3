-- Each kept answer looked its company up, to refer to it. A transaction that keeps answers now locks the company's row once.
-- On a cluster the reference is gone already.
ALTER TABLE kept_answers DROP CONSTRAINT IF EXISTS kept_answers_company_id_fkey;
INSERT INTO compatible_migrations (version) VALUES ('20261126000370');
