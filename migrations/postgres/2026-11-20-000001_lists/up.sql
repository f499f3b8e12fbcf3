-- One index for each order and each range of a list. They hold the active contacts alone, begin with the company, and
-- end with the id that breaks ties, so that a page is found without touching a row that is not on it.
CREATE INDEX contacts_by_created_at ON contacts (company_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_updated_at ON contacts (company_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (company_id, email_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_first_name ON contacts (company_id, first_name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id) WHERE deleted_at IS NULL;

-- Substrings of three characters and more, in one index for the three texts. No name and no address holds a line feed.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
ALTER TABLE contacts ADD COLUMN search_text text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (email_folded || E'\n' || first_name_folded || E'\n' || last_name_folded) STORED;
-- The text comes first: the rare trigrams find the few candidates, and only those are looked up among the company's.
CREATE INDEX contacts_by_search_text ON contacts USING gin (search_text gin_trgm_ops, company_id)
    WHERE deleted_at IS NULL;
