-- An archived field takes no new values; contacts keep those that they have.
ALTER TABLE fields ADD COLUMN archived boolean NOT NULL DEFAULT false;
