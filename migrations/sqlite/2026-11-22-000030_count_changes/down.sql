-- Fails while there are changes: let the service run without writers until there are none.
CREATE TEMPORARY TABLE remaining (
    changes INTEGER NOT NULL CONSTRAINT count_changes_has_rows CHECK (changes = 0)
);
INSERT INTO remaining SELECT count(*) FROM count_changes;
DROP TABLE remaining;
DROP TABLE count_changes;
