DELETE FROM compatible_migrations WHERE version = '20261128000410';
DELETE FROM feed_cursors WHERE until_position IS NOT NULL;
ALTER TABLE feed_cursors DROP COLUMN resume_position;
ALTER TABLE feed_cursors DROP COLUMN until_position;
