#!/usr/bin/env bash
# Measures what the statements of contacts cost on a cluster, and which writes a worker that is down prevents.
# The figures in 0010-cluster.md and scaling.md were measured with this script.
#
#   contact-hub migrate --database-url postgres://…/single
#   contact-hub migrate --database-url postgres://…/cluster --citus
#   SINGLE=postgres://…/single CLUSTER=postgres://…/cluster ./0010-cluster.sh
#
# Needs bash, psql and pgbench, and fills both databases, which should be empty. Each figure is the median of the average
# latencies of ROUNDS runs (5) of 3 seconds with one client, in milliseconds, on both databases in turn.
set -euo pipefail
ROUNDS=${ROUNDS:-5}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# The companies 10 to 99, so that a random number of two digits is a part of their ids.
for database in "$SINGLE" "$CLUSTER"; do
  psql "$database" -X -q -v ON_ERROR_STOP=1 <<'SQL'
INSERT INTO companies SELECT CAST('00000000-0000-0000-0000-0000000000' || n AS uuid), gen_random_uuid(), 'c' || n, true, '[]', now()
FROM generate_series(10, 99) AS n ON CONFLICT DO NOTHING;
INSERT INTO contacts (company_id, id, email_identity, email, email_folded, first_name, first_name_folded, last_name,
    last_name_folded, field_values, created_at, updated_at)
SELECT CAST('00000000-0000-0000-0000-0000000000' || c AS uuid), CAST('00000000-0000-0000-0000-00000000' || n AS uuid),
    n || '@example.com', n || '@example.com', n || '@example.com', 'Ann', 'ann', 'Lee', 'lee', '{}', now(), now()
FROM generate_series(10, 99) AS c, generate_series(1000, 2999) AS n ON CONFLICT DO NOTHING;
ANALYZE contacts;
SQL
done

company="'00000000-0000-0000-0000-0000000000:c'"
cat > "$directory/read" <<SQL
\set c random(10, 99)
\set n random(1000, 2999)
SELECT id, email, field_values FROM contacts
WHERE company_id = $company AND id = '00000000-0000-0000-0000-00000000:n' AND deleted_at IS NULL;
SQL
cat > "$directory/list" <<SQL
\set c random(10, 99)
SELECT contacts.* FROM (SELECT id, email_folded FROM contacts WHERE company_id = $company AND deleted_at IS NULL
  ORDER BY email_folded, id LIMIT 25) AS page
JOIN contacts ON contacts.company_id = $company AND contacts.id = page.id ORDER BY page.email_folded, page.id;
SQL
cat > "$directory/create" <<SQL
\set c random(10, 99)
\set n random(1, 1000000000)
BEGIN;
INSERT INTO contacts (company_id, id, email_identity, email, email_folded, first_name, first_name_folded, last_name,
  last_name_folded, field_values, created_at, updated_at)
SELECT $company, gen_random_uuid(), e, e, e, 'Ann', 'ann', 'Lee', 'lee', '{}', now(), now()
FROM unnest(array['n' || :n]) AS source (e) WHERE true
ON CONFLICT (company_id, email_identity) DO NOTHING RETURNING true;
INSERT INTO count_changes (company_id, contacts, size, value_uses)
SELECT $company, n, 1, '[]' FROM unnest(array[1]) AS source (n);
COMMIT;
SQL

latency() { # address, script
  pgbench -n -c 1 -T 3 -f "$directory/$2" "$1" 2>/dev/null | awk '/latency average/ { print $4 }'
}

for script in read list create; do
  for _ in $(seq "$ROUNDS"); do
    latency "$SINGLE" "$script" >> "$directory/$script.single"
    latency "$CLUSTER" "$script" >> "$directory/$script.cluster"
  done
  for where in single cluster; do
    sort -g "$directory/$script.$where" |
      awk -v name="$script	$where" '{ t[NR] = $1 } END { printf "%s\t%s\n", name, t[int((NR + 1) / 2)] }'
  done
done
