ALTER TABLE delivery_attempts DROP COLUMN answer_headers;
ALTER TABLE delivery_attempts DROP COLUMN request_headers;
