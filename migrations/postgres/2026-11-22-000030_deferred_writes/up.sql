-- Changes of contact_counts and field_value_uses that are committed but not yet added to them. A transaction only
-- inserts its own rows, so the writers of a company do not wait for each other. value_uses is a JSON document; it is not
-- compressed, since it is read and deleted within seconds.
CREATE TABLE count_changes (
    company_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    contacts bigint NOT NULL,
    size integer NOT NULL,
    value_uses text NOT NULL,
    PRIMARY KEY (company_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE count_changes ALTER COLUMN value_uses SET STORAGE EXTERNAL;
