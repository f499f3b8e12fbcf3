-- Finds what a user did of one kind, when both did and was done often.
CREATE INDEX audit_by_actor_and_action ON audit (company_id, actor_id, action, at, position, ordinal);
