DROP TABLE delivery_attempts;
DROP TABLE deliveries;
DROP TABLE events;
DROP TABLE webhook_secrets;
DROP TABLE webhooks;
