-- Needs a stop: an older program would write contacts without these changes, and the numbers would be wrong afterwards.
-- How many active contacts have an email, a first name or a last name that begins with a character. So the number of
-- matches of a search of one character, which can be millions, is read and not counted.
CREATE TABLE contact_beginnings (
    company_id uuid NOT NULL,
    beginning text COLLATE "C" NOT NULL,
    contacts bigint NOT NULL,
    PRIMARY KEY (company_id, beginning)
) WITH (fillfactor = 50);
-- The changes of these numbers, a JSON object.
ALTER TABLE count_changes ADD COLUMN beginnings text NOT NULL DEFAULT '{}';
WITH counted AS (
    SELECT company_id, substr(email_folded, 1, 1) AS email, substr(first_name_folded, 1, 1) AS first_name,
        substr(last_name_folded, 1, 1) AS last_name, count(*) AS contacts
    FROM contacts WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4
)
INSERT INTO contact_beginnings (company_id, beginning, contacts)
SELECT company_id, beginning, sum(contacts) FROM (
    SELECT company_id, email AS beginning, contacts FROM counted
    UNION ALL SELECT company_id, first_name, contacts FROM counted WHERE first_name <> email
    UNION ALL SELECT company_id, last_name, contacts FROM counted WHERE last_name NOT IN (email, first_name)
) AS beginnings
WHERE beginning <> '' GROUP BY company_id, beginning;
