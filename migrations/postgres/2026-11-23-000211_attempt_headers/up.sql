-- The headers of the request and of the answer, as JSON documents of pairs; null when none were kept.
ALTER TABLE delivery_attempts ADD COLUMN request_headers text, ADD COLUMN answer_headers text;
