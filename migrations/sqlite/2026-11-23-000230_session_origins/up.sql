-- Where a session began, so that its user recognises it in a list, and when its user last proved who they are; null for
-- older sessions, whose users did when they began.
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER;
