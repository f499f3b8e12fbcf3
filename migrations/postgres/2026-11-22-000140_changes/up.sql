-- The feed of each company. A position is the transaction's id, raised by change_base, and ordinal counts its entries. An
-- entry is shown when no older transaction is in progress, so none appears before one that was already shown. actor_id
-- is nil for the service itself. There are no foreign keys: an entry stays when its object is deleted.
CREATE TABLE changes (
    company_id uuid NOT NULL,
    position bigint NOT NULL,
    ordinal integer NOT NULL,
    type text NOT NULL,
    at timestamptz NOT NULL,
    object_id uuid NOT NULL,
    actor_id uuid NOT NULL,
    changed text NOT NULL,
    request_id text,
    PRIMARY KEY (company_id, position, ordinal)
);
CREATE INDEX changes_of_object ON changes (company_id, object_id);

-- Up to where entries were deleted because of their age.
CREATE TABLE change_purges (
    company_id uuid PRIMARY KEY,
    position bigint NOT NULL,
    ordinal integer NOT NULL
);

-- In one row: what positions have more than transaction ids. It is raised when the ids begin anew, as after a restore
-- from a dump.
CREATE TABLE change_base (id smallint PRIMARY KEY CHECK (id = 1), base bigint NOT NULL);
INSERT INTO change_base VALUES (1, 0);
