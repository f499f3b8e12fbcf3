DROP TABLE compatible_migrations;
