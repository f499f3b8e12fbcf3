-- How far a webhook has got in the feed of its company, for each kind of event that consists of entries. There is a row
-- only while the webhook is on and subscribed. delivery_id is the delivery of the last event; the next event is made when
-- its first attempt has ended.
CREATE TABLE feed_cursors (
    webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    kind text NOT NULL,
    company_id uuid NOT NULL REFERENCES companies,
    position bigint NOT NULL,
    ordinal integer NOT NULL,
    delivery_id uuid,
    PRIMARY KEY (webhook_id, kind)
);
CREATE INDEX feed_cursors_by_company ON feed_cursors (company_id, kind, webhook_id);

-- The contacts that the payload of an event names.
CREATE TABLE event_contacts (
    event_id uuid NOT NULL REFERENCES events ON DELETE CASCADE,
    contact_id uuid NOT NULL,
    company_id uuid NOT NULL REFERENCES companies,
    PRIMARY KEY (event_id, contact_id)
);
CREATE INDEX event_contacts_by_contact ON event_contacts (company_id, contact_id, event_id);
DROP INDEX events_of_contacts;
