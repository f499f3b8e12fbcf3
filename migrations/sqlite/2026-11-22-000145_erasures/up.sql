-- Finds the events whose payloads may have an entry of a contact that is erased.
CREATE INDEX events_of_contacts ON events (company_id, created_at) WHERE kind = 'contactsChanged';
