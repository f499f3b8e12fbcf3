-- Needs a stop: an older program would write contacts without these changes, and the numbers would be wrong afterwards.
-- How many active contacts have an email, a first name or a last name that begins with a character. So the number of
-- matches of a search of one character, which can be most contacts, is read and not counted.
CREATE TABLE text_counts (
    company_id BLOB NOT NULL,
    text TEXT NOT NULL,
    contacts INTEGER NOT NULL,
    PRIMARY KEY (company_id, text)
) STRICT, WITHOUT ROWID;
-- The changes of these numbers, a JSON object.
ALTER TABLE count_changes ADD COLUMN text_counts TEXT NOT NULL DEFAULT '{}';
WITH counted AS (
    SELECT company_id, substr(email_folded, 1, 1) AS email, substr(first_name_folded, 1, 1) AS first_name,
        substr(last_name_folded, 1, 1) AS last_name, count(*) AS contacts
    FROM contacts WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4
)
INSERT INTO text_counts (company_id, text, contacts)
SELECT company_id, text, sum(contacts) FROM (
    SELECT company_id, email AS text, contacts FROM counted
    UNION ALL SELECT company_id, first_name, contacts FROM counted WHERE first_name <> email
    UNION ALL SELECT company_id, last_name, contacts FROM counted WHERE last_name NOT IN (email, first_name)
) AS texts
WHERE text <> '' GROUP BY company_id, text;
