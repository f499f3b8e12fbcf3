DO $$
BEGIN
    DROP INDEX contacts_by_domain;
    DROP INDEX contacts_by_search_text;
    CREATE INDEX contacts_by_search_text ON contacts USING gin (search_text gin_trgm_ops, company_id)
        WHERE deleted_at IS NULL;
    ALTER TABLE count_changes DROP COLUMN text_counts;
    DROP TABLE text_counts;
END $$;
