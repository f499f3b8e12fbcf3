#!/usr/bin/env bash
# Compares the ways to lists among ten million contacts on PostgreSQL, statement by statement.
#
#   cargo xtask seed --copy --contacts 10000000 --database-url postgres://…
#   POSTGRES=postgres://… ./0003-lists-at-scale.sh
#
# Needs bash, psql and a quarter of an hour, since it creates an index and removes it again. Each figure is the time of
# the second of two runs, in milliseconds.
set -euo pipefail

company=$(psql "$POSTGRES" -X -q -At -c "SELECT company_id FROM contact_counts ORDER BY active DESC LIMIT 1")
active="company_id = '$company' AND deleted_at IS NULL"
common="SET max_parallel_workers_per_gather = 0; SET jit = off; SET work_mem = '32MB'; SET enable_seqscan = off"
indexes="$common; SET enable_bitmapscan = off; SET enable_sort = off; SET enable_hashjoin = off; SET enable_mergejoin = off"
bitmaps="$common; SET enable_indexscan = off; SET enable_indexonlyscan = off"

timed() { # label, settings, statement
  local time
  time=$(psql "$POSTGRES" -X -q -At -v ON_ERROR_STOP=1 -c "$2" -c "$3" -c "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY) $3" |
    awk '/^Execution Time/ { print $3 }')
  printf '%s\t%s\n' "$1" "$time"
}

first="first_name_folded >= 'a' AND first_name_folded < 'b'"
last="last_name_folded >= 's' AND last_name_folded < 't'"
ids="SELECT id FROM contacts WHERE $active AND $first AND $last ORDER BY last_name_folded"
timed "count of two names, by sets of rows" "$bitmaps" "SELECT count(*) FROM contacts WHERE $active AND $first AND $last"
timed "count of two names, covering" "$indexes" "SELECT count(*) FROM ($ids OFFSET 0) AS matching"
timed "two names by email, rows along the index" "$indexes" \
  "SELECT id, email_folded FROM (SELECT id, email_folded, last_name_folded FROM contacts WHERE $active AND $first AND $last
   ORDER BY last_name_folded OFFSET 0) AS hits ORDER BY email_folded DESC LIMIT 25"
timed "two names by email, ids first" "$indexes" \
  "SELECT contacts.id, email_folded FROM (SELECT id FROM ($ids) AS matching ORDER BY id OFFSET 0) AS sorted
   JOIN contacts ON contacts.company_id = '$company' AND contacts.id = sorted.id ORDER BY email_folded DESC LIMIT 25"

begins() { echo "$1 >= '$2' AND $1 < '$3'"; }
for pair in "jo jp" "a b"; do
  read -r from to <<< "$pair"
  any="$(begins email_folded "$from" "$to") OR $(begins first_name_folded "$from" "$to") OR $(begins last_name_folded "$from" "$to")"
  arm() { echo "(SELECT id FROM contacts WHERE $active AND $(begins "$1" "$from" "$to") ORDER BY $1)"; }
  timed "count of a short term $from, by sets of rows" "$bitmaps" "SELECT count(*) FROM contacts WHERE $active AND ($any)"
  timed "count of a short term $from, united" "$indexes" \
    "SELECT count(*) FROM ($(arm email_folded) UNION $(arm first_name_folded) UNION $(arm last_name_folded)) AS matching"
done

far() { # index is chosen by the order
  local place="SELECT last_name_folded, id FROM contacts WHERE $active ORDER BY last_name_folded, id LIMIT 25 OFFSET 1000000"
  local start="(SELECT last_name_folded FROM place ORDER BY last_name_folded, id LIMIT 1)"
  echo "WITH place AS MATERIALIZED ($place) SELECT id FROM contacts WHERE $active AND last_name_folded >= $start
    AND last_name_folded <= (SELECT max(last_name_folded) FROM place) ORDER BY last_name_folded, created_at DESC, id DESC
    LIMIT 25 OFFSET (SELECT count(*) FROM contacts WHERE $active AND last_name_folded = $start
    AND id < (SELECT id FROM place ORDER BY last_name_folded, id LIMIT 1))"
}
whole="SELECT id FROM contacts WHERE $active ORDER BY last_name_folded, created_at DESC, id DESC LIMIT 25 OFFSET 1000000"
timed "page at a million by two keys, walked" "$indexes" "$whole"
timed "page at a million by two keys, found by its place" "$indexes" "$(far)"
psql "$POSTGRES" -X -q -c "BEGIN; DROP INDEX contacts_by_last_name; CREATE INDEX contacts_by_last_name ON contacts
  (company_id, last_name_folded, id) WHERE deleted_at IS NULL; COMMIT"
timed "the same with an index of the key alone" "$indexes" "$(far)"
psql "$POSTGRES" -X -q -c "BEGIN; DROP INDEX contacts_by_last_name; CREATE INDEX contacts_by_last_name ON contacts
  (company_id, last_name_folded, id) INCLUDE (first_name_folded, created_at, updated_at) WHERE deleted_at IS NULL; COMMIT"
