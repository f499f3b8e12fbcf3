-- Each time a webhook is switched off it begins a new generation. What is open in an earlier one is never sent.
ALTER TABLE webhooks ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
DROP INDEX deliveries_due;
DROP INDEX deliveries_in_progress;
ALTER TABLE deliveries ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
-- The order in which a webhook's deliveries are sent: resent ones, first attempts, retries.
ALTER TABLE deliveries ADD COLUMN urgency INTEGER NOT NULL GENERATED ALWAYS AS (
    CASE WHEN trigger = 'resend' THEN 0 WHEN retries > 0 THEN 2 ELSE 1 END
) VIRTUAL;
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
    id INTEGER PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    webhook_id BLOB NOT NULL,
    generation INTEGER,
    since INTEGER,
    until INTEGER,
    exhausted INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'cancelled', 'skipped')),
    reason TEXT,
    at INTEGER NOT NULL,
    CHECK ((generation IS NULL) = (since IS NOT NULL AND until IS NOT NULL))
) STRICT;
CREATE INDEX settlements_by_company ON settlements (company_id, webhook_id);

-- Deleted webhooks whose payloads are erased in batches; deliveries up to this one are done.
CREATE TABLE erasures (
    webhook_id BLOB NOT NULL PRIMARY KEY,
    company_id BLOB NOT NULL REFERENCES companies (id),
    after_id BLOB NOT NULL
) STRICT;

-- The numbers of deliveries, so that no list has to count them. What is in progress counts as what it would be if it
-- were given back.
CREATE TABLE delivery_counts (
    company_id BLOB NOT NULL REFERENCES companies (id),
    webhook_id BLOB NOT NULL,
    generation INTEGER NOT NULL,
    state TEXT NOT NULL,
    is_test INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (company_id, webhook_id, generation, state, is_test)
) STRICT, WITHOUT ROWID;

INSERT INTO delivery_counts
SELECT company_id, webhook_id, generation,
    CASE WHEN state <> 'in_progress' THEN state WHEN retries > 0 THEN 'retrying' ELSE 'pending' END, kind = 'test', count(*)
FROM deliveries GROUP BY 1, 2, 3, 4, 5;

CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries BEGIN
    INSERT INTO delivery_counts VALUES (
        new.company_id, new.webhook_id, new.generation,
        CASE WHEN new.state <> 'in_progress' THEN new.state WHEN new.retries > 0 THEN 'retrying' ELSE 'pending' END,
        new.kind = 'test', 1
    ) ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER deliveries_updated AFTER UPDATE OF state, retries, generation ON deliveries
WHEN old.generation <> new.generation
    OR CASE WHEN old.state <> 'in_progress' THEN old.state WHEN old.retries > 0 THEN 'retrying' ELSE 'pending' END
    <> CASE WHEN new.state <> 'in_progress' THEN new.state WHEN new.retries > 0 THEN 'retrying' ELSE 'pending' END
BEGIN
    UPDATE delivery_counts SET number = number - 1
    WHERE company_id = old.company_id AND webhook_id = old.webhook_id AND generation = old.generation
        AND is_test = (old.kind = 'test') AND state
        = CASE WHEN old.state <> 'in_progress' THEN old.state WHEN old.retries > 0 THEN 'retrying' ELSE 'pending' END;
    INSERT INTO delivery_counts VALUES (
        new.company_id, new.webhook_id, new.generation,
        CASE WHEN new.state <> 'in_progress' THEN new.state WHEN new.retries > 0 THEN 'retrying' ELSE 'pending' END,
        new.kind = 'test', 1
    ) ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
    UPDATE delivery_counts SET number = number - 1
    WHERE company_id = old.company_id AND webhook_id = old.webhook_id AND generation = old.generation
        AND is_test = (old.kind = 'test') AND state
        = CASE WHEN old.state <> 'in_progress' THEN old.state WHEN old.retries > 0 THEN 'retrying' ELSE 'pending' END;
END;
