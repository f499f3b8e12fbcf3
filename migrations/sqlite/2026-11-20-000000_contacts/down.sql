DROP TABLE field_value_uses;
DROP TABLE contact_counts;
DROP TABLE contacts;
DROP TABLE fields;
DROP TABLE api_keys;
DROP TABLE users;
DROP TABLE companies;
