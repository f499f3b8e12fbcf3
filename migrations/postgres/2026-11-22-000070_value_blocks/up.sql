-- The values of a field, in blocks of consecutive sort keys with the number of values in each, so that neither their
-- total nor a page far down the list is counted value by value. A block ends where the next one begins; the first one
-- of a field begins with the empty key.
CREATE TABLE field_value_blocks (
    company_id uuid NOT NULL,
    field_id uuid NOT NULL,
    first_key bytea NOT NULL,
    number bigint NOT NULL CHECK (number >= 0),
    PRIMARY KEY (company_id, field_id, first_key)
) WITH (fillfactor = 50);
-- Values with the same key have the same rank, so they are in the same block.
INSERT INTO field_value_blocks
SELECT company_id, field_id, CASE WHEN block = 0 THEN '\x' ELSE sort_key END, number FROM (
    SELECT DISTINCT ON (field_id, block) field_id, block, sort_key, count(*) OVER (PARTITION BY field_id, block) AS number
    FROM (
        SELECT field_id, sort_key, (rank() OVER (PARTITION BY field_id ORDER BY sort_key) - 1) / 1000 AS block
        FROM field_value_uses
    ) AS ranked
    ORDER BY field_id, block, sort_key
) AS blocks JOIN fields ON fields.id = field_id;
