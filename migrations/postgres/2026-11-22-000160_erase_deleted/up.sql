-- After how many days a company's deleted contacts are erased; null: never.
ALTER TABLE companies ADD COLUMN erase_deleted_after_days integer;
-- Finds those that are due.
CREATE INDEX contacts_by_deletion ON contacts (company_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
