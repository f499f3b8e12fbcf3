ALTER TABLE delivery_attempts DROP COLUMN request_headers, DROP COLUMN answer_headers;
