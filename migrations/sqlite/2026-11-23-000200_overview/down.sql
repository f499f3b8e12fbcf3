DROP INDEX syncs_by_state;
DROP TABLE contact_days;
DROP TABLE call_counts;
