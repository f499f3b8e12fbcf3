-- Each time a webhook is switched off it begins a new generation. What is open in an earlier one is never sent.
ALTER TABLE webhooks ADD COLUMN generation integer NOT NULL DEFAULT 0;
DROP INDEX deliveries_due, deliveries_in_progress;
-- The order in which a webhook's deliveries are sent: resent ones, first attempts, retries.
ALTER TABLE deliveries
    ADD COLUMN generation integer NOT NULL DEFAULT 0,
    ADD COLUMN urgency smallint NOT NULL GENERATED ALWAYS AS (
        CASE WHEN trigger = 'resend' THEN 0 WHEN retries > 0 THEN 2 ELSE 1 END
    ) STORED;
CREATE INDEX deliveries_due ON deliveries (company_id, webhook_id, generation, urgency, due_at, id)
    WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_progress ON deliveries (company_id, webhook_id, due_at) WHERE state = 'in_progress';
-- What can be recovered.
CREATE INDEX deliveries_recoverable ON deliveries (webhook_id, state, updated_at)
    WHERE state IN ('exhausted', 'skipped') AND kind <> 'test';

-- Changes of many deliveries that already count, while their rows are rewritten in batches. One with a generation
-- concerns what waits in that generation; one with since and until concerns what ended exhausted or skipped between
-- them, and keeps the numbers of these rows.
CREATE TABLE settlements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    webhook_id uuid NOT NULL,
    generation integer,
    since timestamptz,
    until timestamptz,
    exhausted bigint NOT NULL,
    skipped bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'cancelled', 'skipped')),
    reason text,
    at timestamptz NOT NULL,
    CHECK ((generation IS NULL) = (since IS NOT NULL AND until IS NOT NULL))
);
CREATE INDEX settlements_by_company ON settlements (company_id, webhook_id);

-- Deleted webhooks whose payloads are erased in batches; deliveries up to this one are done.
CREATE TABLE erasures (
    webhook_id uuid PRIMARY KEY,
    company_id uuid NOT NULL REFERENCES companies,
    after_id uuid NOT NULL
);

-- The numbers of deliveries, so that no list has to count them. What is in progress counts as what it would be if it
-- were given back. Writers add changes, which are summed up later, so no two of them wait for each other.
CREATE TABLE delivery_counts (
    company_id uuid NOT NULL REFERENCES companies,
    webhook_id uuid NOT NULL,
    generation integer NOT NULL,
    state text NOT NULL,
    is_test boolean NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (company_id, webhook_id, generation, state, is_test)
);
CREATE TABLE delivery_count_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    generation integer NOT NULL,
    state text NOT NULL,
    is_test boolean NOT NULL,
    number bigint NOT NULL
);
CREATE INDEX delivery_count_changes_by_company ON delivery_count_changes (company_id, webhook_id);

INSERT INTO delivery_counts
SELECT company_id, webhook_id, generation,
    CASE WHEN state <> 'in_progress' THEN state WHEN retries > 0 THEN 'retrying' ELSE 'pending' END, kind = 'test', count(*)
FROM deliveries GROUP BY 1, 2, 3, 4, 5;

CREATE FUNCTION count_inserted_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO delivery_count_changes (company_id, webhook_id, generation, state, is_test, number)
    SELECT company_id, webhook_id, generation,
        CASE WHEN state <> 'in_progress' THEN state WHEN retries > 0 THEN 'retrying' ELSE 'pending' END,
        kind = 'test', count(*)
    FROM inserted GROUP BY 1, 2, 3, 4, 5;
    RETURN NULL;
END $$;
CREATE FUNCTION count_updated_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO delivery_count_changes (company_id, webhook_id, generation, state, is_test, number)
    SELECT company_id, webhook_id, generation,
        CASE WHEN state <> 'in_progress' THEN state WHEN retries > 0 THEN 'retrying' ELSE 'pending' END,
        kind = 'test', sum(number)
    FROM (SELECT *, 1 AS number FROM inserted UNION ALL SELECT *, -1 AS number FROM deleted) AS rows
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0;
    RETURN NULL;
END $$;
CREATE FUNCTION count_deleted_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO delivery_count_changes (company_id, webhook_id, generation, state, is_test, number)
    SELECT company_id, webhook_id, generation,
        CASE WHEN state <> 'in_progress' THEN state WHEN retries > 0 THEN 'retrying' ELSE 'pending' END,
        kind = 'test', -count(*)
    FROM deleted GROUP BY 1, 2, 3, 4, 5;
    RETURN NULL;
END $$;
CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries REFERENCING NEW TABLE AS inserted
    FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_deliveries();
CREATE TRIGGER deliveries_updated AFTER UPDATE ON deliveries REFERENCING NEW TABLE AS inserted OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION count_updated_deliveries();
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_deliveries();
