-- The feed of each company. A position is the number of a transaction of the company, and ordinal counts its entries.
-- actor_id is nil for the service itself. There are no foreign keys: an entry stays when its object is deleted.
CREATE TABLE changes (
    company_id BLOB NOT NULL,
    position INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    object_id BLOB NOT NULL,
    actor_id BLOB NOT NULL,
    changed TEXT NOT NULL,
    request_id TEXT,
    PRIMARY KEY (company_id, position, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX changes_of_object ON changes (company_id, object_id);

-- Up to where entries were deleted because of their age.
CREATE TABLE change_purges (
    company_id BLOB PRIMARY KEY,
    position INTEGER NOT NULL,
    ordinal INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
