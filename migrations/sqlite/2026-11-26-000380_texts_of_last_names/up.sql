-- The index of last names has all searched texts and the time of creation, by which lists are sorted by default. So contacts
-- with a text that many have are counted along one index, without a row of theirs. A change of a last name writes its entry
-- anyway; an email hardly ever changes.
DROP INDEX contacts_by_last_name;
CREATE INDEX contacts_by_last_name
    ON contacts (company_id, last_name_folded, id, email_folded, first_name_folded, created_at) WHERE is_listed = 1;
-- An older program uses the index as it did.
INSERT INTO compatible_migrations (version) VALUES ('20261126000380');
