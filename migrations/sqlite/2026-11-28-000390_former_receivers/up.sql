-- Whether the webhook got another address, or was switched on or off, after the delivery was claimed.
ALTER TABLE delivery_leases ADD COLUMN is_former INTEGER NOT NULL DEFAULT 0;
INSERT INTO compatible_migrations (version) VALUES ('20261128000390');
