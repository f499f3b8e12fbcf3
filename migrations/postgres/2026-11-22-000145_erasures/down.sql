DROP TABLE blocked_email_key;
DROP TABLE blocked_emails;
DROP INDEX events_of_contacts;
