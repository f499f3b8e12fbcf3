-- Since when a company is being deleted; null for all others.
ALTER TABLE companies ADD COLUMN deleting_since INTEGER;
-- Find the events and the attempts of a company, also for the check that none is left when its row is deleted.
CREATE INDEX events_by_company ON events (company_id, id);
CREATE INDEX delivery_attempts_by_company ON delivery_attempts (company_id);
