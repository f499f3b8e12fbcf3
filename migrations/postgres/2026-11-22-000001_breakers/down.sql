ALTER TABLE webhooks
    DROP COLUMN host,
    DROP COLUMN unanswered,
    DROP COLUMN slots,
    DROP COLUMN paused_until;
