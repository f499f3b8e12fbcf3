DROP INDEX indexed_values_not_in_order;
ALTER TABLE indexed_values DROP COLUMN is_in_order;
CREATE INDEX indexed_values_not_in_order ON indexed_values (field_number)
    WHERE hex(substr(contact_id, 1, 6)) NOT BETWEEN printf('%012X', contact_created_at / 1000 - 1000)
        AND printf('%012X', contact_created_at / 1000 + 1000);
