DROP TRIGGER contacts_search_delete;
DROP TRIGGER contacts_search_update;
DROP TRIGGER contacts_search_insert;
DROP TABLE contacts_search;
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
