-- Needs a stop: an older program would look for phrases, which the new index does not have.
-- Without positions the index of substrings has a third of the size. A change deletes the old text's entries one by one: the
-- deleted rows of contentless_delete are kept in hash tables without any mixing, so that rows that were changed together
-- collide, and a single bulk that merged the index's segments took many seconds.
DROP TRIGGER contacts_search_insert;
DROP TRIGGER contacts_search_update;
DROP TRIGGER contacts_search_delete;
DROP TABLE contacts_search;
CREATE VIRTUAL TABLE contacts_search USING fts5 (
    search_text, content = '', detail = none, columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO contacts_search (rowid, search_text) SELECT rowid, search_text FROM contacts ORDER BY rowid;
CREATE TRIGGER contacts_search_insert AFTER INSERT ON contacts BEGIN
    INSERT INTO contacts_search (rowid, search_text) VALUES (new.rowid, new.search_text);
END;
CREATE TRIGGER contacts_search_update AFTER UPDATE OF email_folded, first_name_folded, last_name_folded ON contacts
WHEN old.search_text <> new.search_text BEGIN
    INSERT INTO contacts_search (contacts_search, rowid, search_text) VALUES ('delete', old.rowid, old.search_text);
    INSERT INTO contacts_search (rowid, search_text) VALUES (new.rowid, new.search_text);
END;
CREATE TRIGGER contacts_search_delete AFTER DELETE ON contacts BEGIN
    INSERT INTO contacts_search (contacts_search, rowid, search_text) VALUES ('delete', old.rowid, old.search_text);
END;
