DROP TABLE sign_in_links;
DROP TABLE sessions;
DROP TABLE user_passwords;
DROP INDEX users_by_created_at;
DROP INDEX users_by_email;
