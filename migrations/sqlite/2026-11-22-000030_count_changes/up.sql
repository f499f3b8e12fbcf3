-- Changes of contact_counts and field_value_uses that are committed but not yet added to them. The counts of a thousand
-- contacts are on thousands of pages, which a transaction of a client then need not write. value_uses is a JSON document.
CREATE TABLE count_changes (
    company_id BLOB NOT NULL,
    id INTEGER PRIMARY KEY,
    contacts INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    value_uses TEXT NOT NULL
) STRICT;
CREATE INDEX count_changes_by_company ON count_changes (company_id, id, contacts);
