-- Changes of contact_counts and field_value_uses that are committed but not yet added to them. The counts of a thousand
-- contacts are on thousands of pages, which a transaction of a client then need not write. value_uses is a JSON document.
CREATE TABLE count_changes (
    company_id BLOB NOT NULL,
    id INTEGER PRIMARY KEY,
    contacts INTEGER NOT NULL,
    size INTEGER NOT NULL,
    value_uses TEXT NOT NULL
) STRICT;
CREATE INDEX count_changes_by_company ON count_changes (company_id, id, contacts);

-- The indexes of the lists keep a deleted contact until it is unlisted in the background: its entries are on pages of
-- their own, and a bulk that deletes a thousand contacts would write several thousand pages. Lists leave out those that
-- are deleted and still listed, which are few.
ALTER TABLE contacts ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 1;
UPDATE contacts SET is_listed = 0 WHERE deleted_at IS NOT NULL;
CREATE INDEX contacts_to_unlist ON contacts (company_id, id) WHERE is_listed = 1 AND deleted_at IS NOT NULL;
DROP INDEX contacts_by_created_at;
DROP INDEX contacts_by_updated_at;
DROP INDEX contacts_by_email;
DROP INDEX contacts_by_first_name;
DROP INDEX contacts_by_last_name;
CREATE INDEX contacts_by_created_at ON contacts (company_id, created_at, id) WHERE is_listed = 1;
CREATE INDEX contacts_by_updated_at ON contacts (company_id, updated_at, id) WHERE is_listed = 1;
CREATE INDEX contacts_by_email ON contacts (company_id, email_folded, id) WHERE is_listed = 1;
CREATE INDEX contacts_by_first_name ON contacts (company_id, first_name_folded, id) WHERE is_listed = 1;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id) WHERE is_listed = 1;
