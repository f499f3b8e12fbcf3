-- Needs a stop: an older program would apply changes of counts without these numbers, and they would be wrong afterwards.
-- How many active contacts have a value of a block. So the number of contacts with a value in a range is a sum of few rows.
ALTER TABLE field_value_blocks ADD COLUMN uses bigint NOT NULL DEFAULT 0 CHECK (uses >= 0);
-- No key begins with the largest byte.
UPDATE field_value_blocks SET uses = sums.uses FROM (
    SELECT blocks.company_id, blocks.field_id, blocks.first_key, sum(counted.uses) AS uses
    FROM (
        SELECT company_id, field_id, first_key,
            coalesce(lead(first_key) OVER (PARTITION BY company_id, field_id ORDER BY first_key), '\xff') AS next_key
        FROM field_value_blocks
    ) AS blocks
    JOIN field_value_uses AS counted ON counted.company_id = blocks.company_id AND counted.field_id = blocks.field_id
        AND counted.sort_key >= blocks.first_key AND counted.sort_key < blocks.next_key
    GROUP BY 1, 2, 3
) AS sums
WHERE field_value_blocks.company_id = sums.company_id AND field_value_blocks.field_id = sums.field_id
    AND field_value_blocks.first_key = sums.first_key;
