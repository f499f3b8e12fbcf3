-- The bytes of a large answer; null for others. The sum of a company's is bounded.
ALTER TABLE kept_answers ADD COLUMN large_size integer;
CREATE INDEX kept_answers_large ON kept_answers (company_id, large_size) WHERE large_size IS NOT NULL;
