DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM count_changes) THEN
        RAISE EXCEPTION 'count_changes has rows: let the service run without writers until it has none';
    END IF;
END $$;
DROP TABLE count_changes;
