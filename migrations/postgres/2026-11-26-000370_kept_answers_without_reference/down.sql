ALTER TABLE kept_answers ADD CONSTRAINT kept_answers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies (id);
DELETE FROM compatible_migrations WHERE version = '20261126000370';
