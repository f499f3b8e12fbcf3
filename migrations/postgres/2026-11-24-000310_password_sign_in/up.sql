-- Whether users of the company may sign in with a password. Until all instances are new, older ones accept passwords.
ALTER TABLE companies ADD COLUMN password_sign_in boolean NOT NULL DEFAULT true;
-- How the session began. Only somebody who signed in without a password may switch passwords off.
ALTER TABLE sessions ADD COLUMN method text;
INSERT INTO compatible_migrations (version) VALUES ('20261124000310');
