ALTER TABLE webhooks DROP COLUMN host;
ALTER TABLE webhooks DROP COLUMN unanswered;
ALTER TABLE webhooks DROP COLUMN slots;
ALTER TABLE webhooks DROP COLUMN paused_until;
