CREATE INDEX events_of_contacts ON events (company_id, created_at) WHERE kind = 'contactsChanged';
DROP TABLE event_contacts;
DROP TABLE feed_cursors;
