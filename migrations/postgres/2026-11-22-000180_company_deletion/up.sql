-- Since when a company is being deleted; null for all others.
ALTER TABLE companies ADD COLUMN deleting_since timestamptz;
-- Finds the events of a company, also for the check that none is left when its row is deleted.
CREATE INDEX events_by_company ON events (company_id, id);
