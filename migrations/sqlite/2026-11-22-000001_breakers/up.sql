-- The receiver's host and port; how many attempts in a row it has left without an answer, how many may be in progress
-- for that, and until when nothing is sent by the schedule.
ALTER TABLE webhooks ADD COLUMN host TEXT NOT NULL GENERATED ALWAYS AS (lower(substr(
    substr(url, instr(url, '://') + 3), 1,
    instr(replace(substr(url, instr(url, '://') + 3), '?', '/') || '/', '/') - 1
))) VIRTUAL;
ALTER TABLE webhooks ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN slots INTEGER NOT NULL DEFAULT 8;
ALTER TABLE webhooks ADD COLUMN paused_until INTEGER;
