-- The receiver's host and port; how many attempts in a row it has left without an answer, how many may be in progress
-- for that, and until when nothing is sent by the schedule.
ALTER TABLE webhooks
    ADD COLUMN host text NOT NULL GENERATED ALWAYS AS (lower(split_part(split_part(url, '/', 3), '?', 1))) STORED,
    ADD COLUMN unanswered integer NOT NULL DEFAULT 0,
    ADD COLUMN slots integer NOT NULL DEFAULT 8,
    ADD COLUMN paused_until timestamptz;
