#!/usr/bin/env bash
# What each index of contacts costs a bulk of 1000 rows: the log and the time, with all indexes and without one of them.
# Usage: docs/decisions/0009-contact-indexes.sh postgres://postgres@127.0.0.1:5432 [contacts]
# It needs target/release/seed and a superuser, and creates and drops the databases index_costs and index_cost. The
# server should run with full_page_writes = off, so that the log has the rows alone.
set -euo pipefail
server=$1
contacts=${2:-100000}
sql() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }

sql --dbname "$server/postgres" --command 'DROP DATABASE IF EXISTS index_costs' --command 'CREATE DATABASE index_costs' 2>/dev/null
target/release/seed --contacts "$contacts" --database-url "$server/index_costs" >/dev/null

measure() {
    sql --dbname "$server/postgres" --command 'DROP DATABASE IF EXISTS index_cost' \
        --command 'CREATE DATABASE index_cost TEMPLATE index_costs' 2>/dev/null
    sql --dbname "$server/index_cost" <<SQL
$2
ALTER TABLE contacts SET (autovacuum_enabled = off);
VACUUM ANALYZE contacts;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
CREATE TEMP TABLE measured (what text, ms numeric, log numeric);
CREATE TEMP TABLE chosen AS SELECT id, row_number() OVER (ORDER BY random()) AS n FROM contacts LIMIT 30000;
ANALYZE chosen;
CREATE FUNCTION measure(what text, query text) RETURNS void LANGUAGE plpgsql AS \$\$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, WAL, FORMAT JSON) ' || query INTO plan;
    INSERT INTO measured VALUES (what, (plan->0->>'Execution Time')::numeric, (plan->0->'Plan'->>'WAL Bytes')::numeric);
END \$\$;
DO \$\$
DECLARE
    document text := quote_literal('{"string1":"Team 1","number2":17,"date3":"2001-05-17","datetime4":"2026-02-01T00:10:10+00:00","boolean5":true}');
BEGIN
    FOR n IN 0..9 LOOP
        PERFORM measure('name and values', format('UPDATE contacts SET deleted_at = NULL, email = email, email_folded = email_folded, first_name = first_name, first_name_folded = first_name_folded, last_name = ''Row 2'', last_name_folded = ''row 2'', field_values = %s, updated_at = now() + interval ''%s s'' FROM chosen WHERE contacts.id = chosen.id AND n BETWEEN %s * 1000 + 1 AND %s * 1000 + 1000', document, n, n, n));
        PERFORM measure('values', format('UPDATE contacts SET deleted_at = NULL, email = email, email_folded = email_folded, first_name = first_name, first_name_folded = first_name_folded, last_name = last_name, last_name_folded = last_name_folded, field_values = %s, updated_at = now() + interval ''%s s'' FROM chosen WHERE contacts.id = chosen.id AND n BETWEEN %s * 1000 + 10001 AND %s * 1000 + 11000', document, n, n, n));
        PERFORM measure('new', format('INSERT INTO contacts (id, company_id, email, email_identity, email_folded, first_name, first_name_folded, last_name, last_name_folded, field_values, created_at, updated_at) SELECT (lpad(to_hex(x''7fff''::int), 8, ''f'') || ''-0000-7000-8000-'' || lpad(to_hex(%s * 1000 + n), 12, ''0''))::uuid, (SELECT company_id FROM contacts LIMIT 1), email, email, email, ''Bench'', ''bench'', ''Row'', ''row'', %s, now() + interval ''%s s'', now() + interval ''%s s'' FROM generate_series(1, 1000) AS n, LATERAL (SELECT md5(''%s'' || n) || ''@bench.example'' AS email) AS made', n, document, n, n, n));
    END LOOP;
END \$\$;
SELECT '| $1 | ' || string_agg(what || ' ' || round(log / 1000) || ' bytes, ' || ms || ' ms', ' | ' ORDER BY what) || ' |'
FROM (SELECT what, avg(log) AS log, round(min(ms), 1) AS ms FROM measured GROUP BY what) AS measured;
SQL
}

measure 'all' ''
for index in created_at updated_at email first_name last_name domain search_text; do
    measure "without contacts_by_$index" "DROP INDEX contacts_by_$index;"
done
measure 'without contacts_by_updated_at, fillfactor 85' \
    'DROP INDEX contacts_by_updated_at; ALTER TABLE contacts SET (fillfactor = 85); VACUUM FULL contacts;'
measure 'fillfactor 85' 'ALTER TABLE contacts SET (fillfactor = 85); VACUUM FULL contacts;'
measure 'without any of the seven' \
    'DROP INDEX contacts_by_created_at, contacts_by_updated_at, contacts_by_email, contacts_by_first_name, contacts_by_last_name, contacts_by_domain, contacts_by_search_text;'
sql --dbname "$server/postgres" --command 'DROP DATABASE index_cost' --command 'DROP DATABASE index_costs'
