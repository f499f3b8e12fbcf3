-- Needs a stop: an older program would write contacts without these changes, and the numbers would be wrong afterwards.
-- How many active contacts have an email, a first name or a last name that begins with a character, each after the name of its
-- column, as in 'email:a'; 'last_name:' are those without a last name. So a page far from both ends of a list by one of these
-- is found without walking along most of the contacts before it.
INSERT INTO text_counts (company_id, text, contacts)
SELECT company_id, 'email:' || substr(email_folded, 1, 1), count(*)
    FROM contacts WHERE deleted_at IS NULL GROUP BY company_id, substr(email_folded, 1, 1)
UNION ALL SELECT company_id, 'first_name:' || substr(first_name_folded, 1, 1), count(*)
    FROM contacts WHERE deleted_at IS NULL GROUP BY company_id, substr(first_name_folded, 1, 1)
UNION ALL SELECT company_id, 'last_name:' || substr(last_name_folded, 1, 1), count(*)
    FROM contacts WHERE deleted_at IS NULL GROUP BY company_id, substr(last_name_folded, 1, 1);
