-- The trace of the request that enqueued an event, as in the header traceparent; NULL when it was not traced.
ALTER TABLE events ADD COLUMN traceparent text;
INSERT INTO compatible_migrations (version) VALUES ('20261125000320');
