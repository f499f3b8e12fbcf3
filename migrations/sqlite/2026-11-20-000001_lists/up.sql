-- One index for each order and each range of a list. They hold the active contacts alone, begin with the company, and
-- end with the id that breaks ties, so that a page is found without touching a row that is not on it.
CREATE INDEX contacts_by_created_at ON contacts (company_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_updated_at ON contacts (company_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_email ON contacts (company_id, email_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_first_name ON contacts (company_id, first_name_folded, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_by_last_name ON contacts (company_id, last_name_folded, id) WHERE deleted_at IS NULL;

-- Substrings of three characters and more, in one index for the three texts. No name and no address holds a line feed.
-- The index keeps no text of its own; its rowid is that of the contact.
ALTER TABLE contacts ADD COLUMN search_text TEXT NOT NULL
    GENERATED ALWAYS AS (email_folded || char(10) || first_name_folded || char(10) || last_name_folded) VIRTUAL;
CREATE VIRTUAL TABLE contacts_search USING fts5 (
    search_text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO contacts_search (rowid, search_text) SELECT rowid, search_text FROM contacts;
CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
    INSERT INTO contacts_search (rowid, search_text) VALUES (new.rowid, new.search_text);
END;
CREATE TRIGGER contacts_search_update AFTER UPDATE OF email_folded, first_name_folded, last_name_folded ON contacts
WHEN old.search_text <> new.search_text BEGIN
    DELETE FROM contacts_search WHERE rowid = old.rowid;
    INSERT INTO contacts_search (rowid, search_text) VALUES (new.rowid, new.search_text);
END;
CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
    DELETE FROM contacts_search WHERE rowid = old.rowid;
END;
