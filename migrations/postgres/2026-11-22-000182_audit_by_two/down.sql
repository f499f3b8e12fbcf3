DROP INDEX audit_by_actor_and_action;
