DROP TABLE syncs;
DROP TABLE integrations;
DROP TABLE assets;
