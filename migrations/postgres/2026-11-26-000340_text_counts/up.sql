-- Needs a stop: an older program would write contacts without these changes, and the numbers would be wrong afterwards.
-- How many active contacts have an email, a first name or a last name that begins with a character, and how many have an
-- email with a domain, which is written with its @. So the matches of a search of a character or of a common domain, which
-- can be millions, are not counted.
-- Citus distributes the statements of a block one by one, but not several that are sent at once.
DO $$
BEGIN
    CREATE TABLE text_counts (
        company_id uuid NOT NULL,
        text text COLLATE "C" NOT NULL,
        contacts bigint NOT NULL,
        PRIMARY KEY (company_id, text)
    ) WITH (fillfactor = 50);
    -- The changes of these numbers, a JSON object.
    ALTER TABLE count_changes ADD COLUMN text_counts text NOT NULL DEFAULT '{}';
    WITH counted AS (
        SELECT company_id, substr(email_folded, 1, 1) AS email, substr(first_name_folded, 1, 1) AS first_name,
            substr(last_name_folded, 1, 1) AS last_name, substr(email_folded, strpos(email_folded, '@')) AS domain,
            count(*) AS contacts
        FROM contacts WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5
    )
    INSERT INTO text_counts (company_id, text, contacts)
    SELECT company_id, text, sum(contacts) FROM (
        SELECT company_id, email AS text, contacts FROM counted
        UNION ALL SELECT company_id, first_name, contacts FROM counted WHERE first_name <> email
        UNION ALL SELECT company_id, last_name, contacts FROM counted WHERE last_name NOT IN (email, first_name)
        UNION ALL SELECT company_id, domain, contacts FROM counted WHERE domain LIKE '@%'
    ) AS texts
    WHERE text <> '' GROUP BY company_id, text;
    CREATE INDEX text_counts_by_trigram ON text_counts USING gin (text gin_trgm_ops, company_id);
    -- The trigrams of a domain are not in the index of substrings for each contact. Equal entries of the index of domains
    -- share a page entry, since it has no other column.
    DROP INDEX contacts_by_search_text;
    CREATE INDEX contacts_by_search_text ON contacts USING gin (
        (split_part(email_folded, '@', 1) || '@' || E'\n' || first_name_folded || E'\n' || last_name_folded) gin_trgm_ops,
        company_id
    ) WHERE deleted_at IS NULL;
    CREATE INDEX contacts_by_domain ON contacts (company_id, substr(email_folded, strpos(email_folded, '@')))
        WHERE deleted_at IS NULL;
END $$;
