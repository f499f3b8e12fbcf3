DROP INDEX contacts_by_deletion;
ALTER TABLE companies DROP COLUMN erase_deleted_after_days;
