-- A program that knows no second step would take these sessions for signed in.
DELETE FROM sessions WHERE awaits_code;
ALTER TABLE companies DROP COLUMN requires_two_step;
ALTER TABLE sessions DROP COLUMN awaits_code;
DROP TABLE recovery_codes;
DROP TABLE two_step;
