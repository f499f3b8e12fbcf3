-- An archived field takes no new values; contacts keep those that they have.
ALTER TABLE fields ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
