-- The values of contacts whose id has a time that is more than a second from their creation. A field without any has the
-- contacts of one value nearly in the order of their creation, so that a page of them is read without those behind it.
CREATE INDEX indexed_values_not_in_order ON indexed_values (field_number)
    WHERE hex(substr(contact_id, 1, 6)) NOT BETWEEN printf('%012X', contact_created_at / 1000 - 1000)
        AND printf('%012X', contact_created_at / 1000 + 1000);
INSERT INTO compatible_migrations (version) VALUES ('20261129000440');
