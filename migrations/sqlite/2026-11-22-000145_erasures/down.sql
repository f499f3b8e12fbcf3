DROP INDEX events_of_contacts;
