#!/usr/bin/env bash
# Measures how the custom field values of contacts should be stored.
# Every figure in 0001-field-values.md was measured with this script.
#
# Needs bash, psql and pgbench, and a scratch database it may fill. The
# connection comes from the usual PG* variables (PGHOST, PGPORT, PGUSER,
# PGDATABASE). It drops and creates the schemas m, a, a70, b, c and d.
#
#   PGHOST=... PGPORT=... PGUSER=... PGDATABASE=... ./0001-field-values.sh
#
# N       contacts to load                     (1000000)
# ROUNDS  interleaved rounds                   (3)
# SECS    seconds per pgbench run              (3)
# BATCHES bulks of 1000 rows per run           (6)
# OUT     file for the raw figures             (a temporary file)
#
# a   jsonb document + counted values
# a70 the same, counter table with fillfactor 70
# b   json document + counted values
# c   one row per value
# d   jsonb document alone (the ceiling)
set -euo pipefail
N=${N:-1000000} ROUNDS=${ROUNDS:-3} SECS=${SECS:-3} BATCHES=${BATCHES:-6}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
OUT=${OUT:-$WORK/raw.tsv}
HALF=$((N / 2))
NEW_BATCHES=$((ROUNDS * BATCHES * 4 + 4))
UPD_BATCHES=$((ROUNDS * BATCHES + 1))
: >"$OUT"
sql() { psql -X -q -v ON_ERROR_STOP=1 -At "$@"; }
note() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }

# ---------------------------------------------------------------- helpers
# Values are a fixed function of a row number, so that every option stores
# the same ones and the bulks can be laid out before the clock starts.
note "helpers"
sql <<'SQL'
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS m, a, a70, b, c, d CASCADE;
CREATE SCHEMA m;
CREATE FUNCTION m.co() RETURNS uuid IMMUTABLE LANGUAGE sql
  AS $$SELECT '018f0000-0000-7000-8000-000000000001'::uuid$$;
CREATE FUNCTION m.fid(f int) RETURNS uuid IMMUTABLE LANGUAGE sql
  AS $$SELECT ('01900000-0000-7000-8000-00000000000' || f)::uuid$$;
-- Ids grow with time, as version 7 ids do.
CREATE FUNCTION m.cid(i int) RETURNS uuid IMMUTABLE LANGUAGE sql
  AS $$SELECT (lpad(to_hex(1700000000000 + i), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid$$;
CREATE FUNCTION m.h(i int, salt int) RETURNS bigint IMMUTABLE LANGUAGE sql
  AS $$SELECT hashint4extended(i, salt::bigint) & 2147483647$$;
CREATE FUNCTION m.dep(i int) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT 'Department ' || lpad((m.h(i, 1) % 200)::text, 3, '0')$$;
CREATE FUNCTION m.boo(i int) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT CASE WHEN m.h(i, 2) % 2 = 0 THEN 'true' ELSE 'false' END$$;
CREATE FUNCTION m.dat(i int) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT to_char(timestamp '2015-01-01' + (m.h(i, 3) % 3650) * interval '1 day', 'YYYY-MM-DD')$$;
CREATE FUNCTION m.num(i int) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT (m.h(i, 4) % 10000)::text$$;
CREATE FUNCTION m.ref(i int) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT 'REF-' || substr(md5(i::text), 1, 16)$$;
CREATE FUNCTION m.doc_of(dep text, boo text, dat text, num text, ref text) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT '{"department":"' || dep || '","newsletter":' || boo || ',"start_date":"' || dat
           || '","score":' || num || ',"reference":"' || ref || '"}'$$;
CREATE FUNCTION m.doc(i int) RETURNS text IMMUTABLE LANGUAGE sql
  AS $$SELECT m.doc_of(m.dep(i), m.boo(i), m.dat(i), m.num(i), m.ref(i))$$;
CREATE FUNCTION m.vals_of(dep text, boo text, dat text, num text, ref text)
  RETURNS TABLE (field_id uuid, value_prefix bytea, value_digest bytea, value text) STABLE ROWS 5 LANGUAGE sql
  AS $$SELECT m.fid(f), substring(convert_to(k, 'UTF8') FOR 64), sha256(convert_to(k, 'UTF8')), j
         FROM (VALUES (1, dep, '"' || dep || '"'), (2, boo, boo), (3, dat, '"' || dat || '"'),
                      (4, lpad(num, 12, '0'), num), (5, ref, '"' || ref || '"')) AS t (f, k, j)$$;
CREATE FUNCTION m.vals(i int)
  RETURNS TABLE (field_id uuid, value_prefix bytea, value_digest bytea, value text) STABLE ROWS 5 LANGUAGE sql
  AS $$SELECT * FROM m.vals_of(m.dep(i), m.boo(i), m.dat(i), m.num(i), m.ref(i))$$;
SQL

# ------------------------------------------------------------------- load
contacts() { # schema, column or nothing, expression or nothing
  sql <<SQL
CREATE SCHEMA $1;
CREATE TABLE $1.contacts (
  id uuid NOT NULL, company_id uuid NOT NULL,
  email text NOT NULL, first_name text NOT NULL, last_name text NOT NULL, avatar_url text,
  email_key text NOT NULL,
  email_folded text COLLATE "C" NOT NULL,
  first_name_folded text COLLATE "C" NOT NULL, last_name_folded text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz ${2:+, custom $2 NOT NULL});
INSERT INTO $1.contacts
SELECT m.cid(i), m.co(), 'User' || i || '@example.com', 'First' || i % 5000, 'Last' || i % 20000,
       'https://example.com/avatars/' || i || '.png', 'user' || i || '@example.com',
       'user' || i || '@example.com', 'first' || i % 5000, 'last' || i % 20000,
       now(), now(), NULL ${3:+, $3}
  FROM generate_series(1, $N) AS i;
ALTER TABLE $1.contacts ADD PRIMARY KEY (id);
ALTER TABLE $1.contacts ADD UNIQUE (company_id, email_key);
CREATE SEQUENCE $1.new_batch;
CREATE SEQUENCE $1.upd_batch;
SQL
}
uses() { # schema, type, fillfactor
  sql <<SQL
CREATE TABLE $1.field_value_uses (
  field_id uuid NOT NULL, value_prefix bytea NOT NULL, value_digest bytea NOT NULL,
  value $2 NOT NULL, uses bigint NOT NULL) WITH (fillfactor = $3);
INSERT INTO $1.field_value_uses
SELECT field_id, value_prefix, value_digest, value::$2, uses FROM m.uses ORDER BY 1, 2, 3;
ALTER TABLE $1.field_value_uses ADD PRIMARY KEY (field_id, value_prefix, value_digest);
SQL
}
note "load c"
contacts c
sql <<SQL
CREATE TABLE c.field_values (
  contact_id uuid NOT NULL, field_id uuid NOT NULL, value_prefix bytea NOT NULL, value jsonb NOT NULL);
INSERT INTO c.field_values
SELECT m.cid(i), v.field_id, v.value_prefix, v.value::jsonb
  FROM generate_series(1, $N) AS i CROSS JOIN LATERAL m.vals(i) AS v;
ALTER TABLE c.field_values ADD PRIMARY KEY (contact_id, field_id);
CREATE INDEX ON c.field_values (field_id, value_prefix);
-- The values are shorter than the prefix here, so the prefix is the value.
CREATE TABLE m.uses AS
SELECT field_id, value_prefix, sha256(value_prefix) AS value_digest, min(value::text) AS value, count(*) AS uses
  FROM c.field_values GROUP BY 1, 2;
SQL
for s in a a70 b d; do
  note "load $s"
  t=jsonb; [ $s = b ] && t=json
  contacts $s $t "m.doc(i)::$t"
  case $s in a | b) uses $s $t 100 ;; a70) uses $s $t 70 ;; esac
done

# The bulks as the service would send them: arrays, made beforehand.
# kind new: 1000 contacts that do not exist, five values each.
# kind upd: 1000 contacts that exist, one value changed each.
note "bulks"
sql <<SQL
CREATE SEQUENCE m.create_seq START $((N + 10000000));
CREATE TABLE m.batch (kind text, no int,
  ids uuid[], emails text[], firsts text[], lasts text[], sent text[], merged text[],
  v_contact uuid[], v_field uuid[], v_prefix bytea[], v_value text[],
  u_field uuid[], u_prefix bytea[], u_digest bytea[], u_value text[], u_delta bigint[],
  z_field uuid[], z_prefix bytea[], z_digest bytea[], PRIMARY KEY (kind, no));
DO \$do\$ DECLARE c text; BEGIN
  FOR c IN SELECT attname FROM pg_attribute WHERE attrelid = 'm.batch'::regclass AND attnum > 2 LOOP
    EXECUTE format('ALTER TABLE m.batch ALTER %I SET STORAGE EXTERNAL', c);
  END LOOP; END \$do\$;
CREATE PROCEDURE m.lay(k text, b int) LANGUAGE plpgsql AS \$do\$
BEGIN
  DROP TABLE IF EXISTS row_, val_, use_;
  CREATE TEMP TABLE row_ AS
  SELECT i, i % 5 + 1 AS f FROM (SELECT CASE k WHEN 'new' THEN $N + b * 1000 + j
         ELSE ((b * 1000 + j)::bigint * 7919 % $HALF)::int + 1 END AS i FROM generate_series(1, 1000) AS j) AS s;
  CREATE TEMP TABLE val_ AS
  SELECT i, v.*, 1 AS delta FROM row_ CROSS JOIN LATERAL m.vals(i) AS v WHERE k = 'new'
  UNION ALL
  SELECT i, v.*, 1 FROM row_ CROSS JOIN LATERAL m.vals_of(m.dep(i + 50000000),
         CASE m.boo(i) WHEN 'true' THEN 'false' ELSE 'true' END,
         m.dat(i + 50000000), m.num(i + 50000000), m.ref(i + 50000000)) AS v
   WHERE k = 'upd' AND v.field_id = m.fid(f)
  UNION ALL
  SELECT i, v.*, -1 FROM row_ CROSS JOIN LATERAL m.vals(i) AS v WHERE k = 'upd' AND v.field_id = m.fid(f);
  CREATE TEMP TABLE use_ AS
  SELECT field_id, value_prefix, value_digest, min(value) AS value, sum(delta) AS delta
    FROM val_ GROUP BY 1, 2, 3 HAVING sum(delta) <> 0;
  INSERT INTO m.batch
  SELECT k, b, r.*, v.*, u.*, z.*
    FROM (SELECT array_agg(m.cid(i) ORDER BY i), array_agg('User' || i || '@example.com' ORDER BY i),
                 array_agg('First' || i % 5000 ORDER BY i), array_agg('Last' || i % 20000 ORDER BY i),
                 array_agg(CASE WHEN k = 'new' THEN m.doc(i)
                   ELSE (SELECT jsonb_build_object((ARRAY['department', 'newsletter', 'start_date', 'score', 'reference'])[f],
                                v.value::jsonb)::text FROM val_ AS v WHERE v.i = row_.i AND delta = 1) END ORDER BY i),
                 array_agg(CASE WHEN k = 'new' THEN m.doc(i) ELSE m.doc_of(
                   CASE f WHEN 1 THEN m.dep(i + 50000000) ELSE m.dep(i) END,
                   CASE WHEN f <> 2 THEN m.boo(i) WHEN m.boo(i) = 'true' THEN 'false' ELSE 'true' END,
                   CASE f WHEN 3 THEN m.dat(i + 50000000) ELSE m.dat(i) END,
                   CASE f WHEN 4 THEN m.num(i + 50000000) ELSE m.num(i) END,
                   CASE f WHEN 5 THEN m.ref(i + 50000000) ELSE m.ref(i) END) END ORDER BY i)
            FROM row_) AS r,
         (SELECT array_agg(m.cid(i) ORDER BY i, field_id), array_agg(field_id ORDER BY i, field_id),
                 array_agg(value_prefix ORDER BY i, field_id), array_agg(value ORDER BY i, field_id)
            FROM val_ WHERE delta = 1) AS v,
         (SELECT array_agg(field_id ORDER BY field_id, value_prefix, value_digest),
                 array_agg(value_prefix ORDER BY field_id, value_prefix, value_digest),
                 array_agg(value_digest ORDER BY field_id, value_prefix, value_digest),
                 array_agg(value ORDER BY field_id, value_prefix, value_digest),
                 array_agg(delta ORDER BY field_id, value_prefix, value_digest) FROM use_) AS u,
         (SELECT array_agg(field_id), array_agg(value_prefix), array_agg(value_digest)
            FROM use_ WHERE delta < 0) AS z;
END \$do\$;
SET client_min_messages = warning;
SELECT format('CALL m.lay(%L, %s)', 'new', b) FROM generate_series(1, $NEW_BATCHES) AS b \\gexec
SELECT format('CALL m.lay(%L, %s)', 'upd', b) FROM generate_series(1, $UPD_BATCHES) AS b \\gexec
SQL

# One call is one transaction with the statements the service would send.
# a and b read the old documents first, for the counters need them.
# d needs no old documents. c upserts its rows by the returned ids.
for s in a a70 b c d; do
  t=jsonb; [ $s = b ] && t=json
  column=", custom" ; given=", r.sent::$t" ; merge=", custom = t.custom || excluded.custom"
  from="b.sent"
  [ $s = b ] && from="b.merged" && merge=", custom = excluded.custom"
  [ $s = c ] && column= && given= && merge=
  before= after=
  case $s in
  a | a70 | b)
    before="SELECT array_agg(old) INTO olds FROM (SELECT custom::text AS old FROM $s.contacts
      WHERE company_id = m.co() AND email_key = ANY (keys) ORDER BY email_key FOR UPDATE) AS o;"
    after="INSERT INTO $s.field_value_uses AS t (field_id, value_prefix, value_digest, value, uses)
      SELECT u.f, u.p, u.d, u.v::$t, u.n
        FROM unnest(b.u_field, b.u_prefix, b.u_digest, b.u_value, b.u_delta) AS u (f, p, d, v, n) ORDER BY 1, 2, 3
      ON CONFLICT (field_id, value_prefix, value_digest) DO UPDATE SET uses = t.uses + excluded.uses;
      IF b.z_field IS NOT NULL THEN
        DELETE FROM $s.field_value_uses AS t USING unnest(b.z_field, b.z_prefix, b.z_digest) AS z (f, p, d)
         WHERE t.field_id = z.f AND t.value_prefix = z.p AND t.value_digest = z.d AND t.uses = 0;
      END IF;" ;;
  c)
    after="INSERT INTO c.field_values AS t (contact_id, field_id, value_prefix, value)
      SELECT v.c, v.f, v.p, v.v::jsonb FROM unnest(b.v_contact, b.v_field, b.v_prefix, b.v_value) AS v (c, f, p, v)
      ON CONFLICT (contact_id, field_id) DO UPDATE SET value_prefix = excluded.value_prefix, value = excluded.value;" ;;
  esac
  sql <<SQL
CREATE FUNCTION $s.bulk(k text, n int) RETURNS int LANGUAGE plpgsql AS \$do\$
DECLARE b m.batch; keys text[]; olds text[]; back uuid[];
BEGIN
  SELECT * INTO STRICT b FROM m.batch WHERE kind = k AND no = n;
  keys := (SELECT array_agg(lower(e)) FROM unnest(b.emails) AS e);
  $before
  WITH up AS (
    INSERT INTO $s.contacts AS t (id, company_id, email, first_name, last_name, avatar_url, email_key,
        email_folded, first_name_folded, last_name_folded $column)
    SELECT r.id, m.co(), r.email, r.first, r.last, NULL, lower(r.email), lower(r.email), lower(r.first), lower(r.last) $given
      FROM unnest(b.ids, b.emails, b.firsts, b.lasts, $from) AS r (id, email, first, last, sent)
    ON CONFLICT (company_id, email_key) DO UPDATE SET email = excluded.email,
      first_name = excluded.first_name, last_name = excluded.last_name,
      first_name_folded = excluded.first_name_folded, last_name_folded = excluded.last_name_folded,
      updated_at = now(), deleted_at = NULL $merge
    RETURNING id)
  SELECT array_agg(id) INTO back FROM up;
  $after
  RETURN cardinality(back);
END \$do\$;
SQL
done

# --------------------------------------------------------- pgbench scripts
cd "$WORK"
C='id, email, first_name, last_name, avatar_url, created_at, updated_at'
new_contact() { # schema, document expression or nothing
  cat <<SQL
INSERT INTO $1.contacts (id, company_id, email, first_name, last_name, email_key, email_folded, first_name_folded, last_name_folded ${2:+, custom}) SELECT m.cid(i), m.co(), 'User' || i || '@example.com', 'First', 'Last', 'user' || i || '@example.com', 'user' || i || '@example.com', 'first', 'last' ${2:+, $2} FROM (SELECT nextval('m.create_seq')::int AS i) AS s RETURNING id \\gset
SQL
}
count_new() { # schema, type, values
  cat <<SQL
INSERT INTO $1.field_value_uses AS t SELECT field_id, value_prefix, value_digest, value::$2, 1 FROM $3 AS v ORDER BY 1, 2, 3 ON CONFLICT (field_id, value_prefix, value_digest) DO UPDATE SET uses = t.uses + excluded.uses;
SQL
}
HOT="'Department 007', 'true', '2020-02-02', '77', m.ref(:r)"
for s in a a70 b c d; do
  t=jsonb; [ $s = b ] && t=json
  echo "SELECT $s.bulk('new', nextval('$s.new_batch')::int);" >bulk_new_$s.sql
  echo "SELECT $s.bulk('upd', nextval('$s.upd_batch')::int);" >bulk_upd_$s.sql

  { echo '\set i random(1, :n)'
    if [ $s = c ]; then
      echo "SELECT $C, (SELECT json_object_agg(v.field_id, v.value) FROM c.field_values AS v WHERE v.contact_id = t.id) FROM c.contacts AS t WHERE id = m.cid(:i) AND company_id = m.co() AND deleted_at IS NULL;"
    else
      echo "SELECT $C, custom FROM $s.contacts WHERE id = m.cid(:i) AND company_id = m.co() AND deleted_at IS NULL;"
    fi; } >read_$s.sql

  { echo '\set i random(:n / 2 + 2, :n)'
    echo '\set r random(100000001, 2000000000)'
    echo 'BEGIN;'
    case $s in
    c)
      echo "SELECT id FROM c.contacts WHERE id = m.cid(:i) AND company_id = m.co() AND deleted_at IS NULL FOR UPDATE \\gset"
      echo "UPDATE c.contacts SET updated_at = now() WHERE id = m.cid(:i);"
      echo "DELETE FROM c.field_values WHERE contact_id = m.cid(:i) AND field_id NOT IN (SELECT field_id FROM m.vals(:r));"
      echo "INSERT INTO c.field_values AS t SELECT m.cid(:i), field_id, value_prefix, value::jsonb FROM m.vals(:r) ON CONFLICT (contact_id, field_id) DO UPDATE SET value_prefix = excluded.value_prefix, value = excluded.value;" ;;
    *)
      echo "SELECT custom->>'department' AS o1, custom->>'newsletter' AS o2, custom->>'start_date' AS o3, custom->>'score' AS o4, custom->>'reference' AS o5 FROM $s.contacts WHERE id = m.cid(:i) AND company_id = m.co() AND deleted_at IS NULL FOR UPDATE \\gset"
      echo "UPDATE $s.contacts SET custom = m.doc(:r)::$t, updated_at = now() WHERE id = m.cid(:i);" ;;
    esac
    case $s in a | a70 | b)
      echo "INSERT INTO $s.field_value_uses AS t SELECT field_id, value_prefix, value_digest, min(value)::$t, sum(delta) FROM (SELECT *, 1 AS delta FROM m.vals(:r) UNION ALL SELECT *, -1 FROM m.vals_of(:o1, :o2, :o3, :o4, :o5)) AS v GROUP BY 1, 2, 3 HAVING sum(delta) <> 0 ORDER BY 1, 2, 3 ON CONFLICT (field_id, value_prefix, value_digest) DO UPDATE SET uses = t.uses + excluded.uses;"
      echo "DELETE FROM $s.field_value_uses AS t USING m.vals_of(:o1, :o2, :o3, :o4, :o5) AS v WHERE t.field_id = v.field_id AND t.value_prefix = v.value_prefix AND t.value_digest = v.value_digest AND t.uses = 0;" ;;
    esac
    echo 'COMMIT;'; } >replace_$s.sql

  for kind in hot mixed; do
    doc="m.doc(:r)" vals="m.vals(:r)"
    [ $kind = hot ] && doc="m.doc_of($HOT)" vals="m.vals_of($HOT)"
    { echo '\set r random(100000001, 2000000000)'
      echo 'BEGIN;'
      case $s in
      c)
        new_contact c
        echo "INSERT INTO c.field_values SELECT :id, field_id, value_prefix, value::jsonb FROM $vals AS v;" ;;
      *) new_contact $s "$doc::$t" ;;
      esac
      case $s in a | a70 | b) count_new $s $t "$vals" ;; esac
      echo 'COMMIT;'; } >create_${kind}_$s.sql
  done
done

for f in 1 5; do
  for s in a b; do
    echo "SELECT value, uses FROM $s.field_value_uses WHERE field_id = m.fid($f) ORDER BY value_prefix, value_digest LIMIT 25;" >page${f}_$s.sql
    echo "SELECT count(*) FROM $s.field_value_uses WHERE field_id = m.fid($f);" >total${f}_$s.sql
  done
  echo "WITH RECURSIVE w AS ((SELECT value_prefix, value FROM c.field_values WHERE field_id = m.fid($f) ORDER BY value_prefix LIMIT 1) UNION ALL SELECT n.* FROM w CROSS JOIN LATERAL (SELECT v.value_prefix, v.value FROM c.field_values AS v WHERE v.field_id = m.fid($f) AND v.value_prefix > w.value_prefix ORDER BY v.value_prefix LIMIT 1) AS n) SELECT value FROM w LIMIT 25;" >page${f}_c.sql
  echo "WITH RECURSIVE w AS ((SELECT value_prefix FROM c.field_values WHERE field_id = m.fid($f) ORDER BY value_prefix LIMIT 1) UNION ALL SELECT n.* FROM w CROSS JOIN LATERAL (SELECT v.value_prefix FROM c.field_values AS v WHERE v.field_id = m.fid($f) AND v.value_prefix > w.value_prefix ORDER BY v.value_prefix LIMIT 1) AS n) SELECT count(*) FROM w;" >total${f}_c.sql
  echo "SELECT count(DISTINCT value_prefix) FROM c.field_values WHERE field_id = m.fid($f);" >scan${f}_c.sql
done
# For comparison only: the question put to the documents themselves.
echo "SELECT DISTINCT custom->>'department' FROM d.contacts WHERE company_id = m.co() AND deleted_at IS NULL ORDER BY 1 LIMIT 25;" >page1_d.sql
echo "SELECT DISTINCT custom->>'reference' FROM d.contacts WHERE company_id = m.co() AND deleted_at IS NULL ORDER BY 1 LIMIT 25;" >page5_d.sql

note "vacuum"
for s in a a70 b c d; do sql -c "VACUUM (ANALYZE) $s.contacts"; done
for s in a a70 b; do sql -c "VACUUM (ANALYZE) $s.field_value_uses"; done
sql -c "VACUUM (ANALYZE) c.field_values" -c "ANALYZE m.batch" -c CHECKPOINT

# ------------------------------------------------------------------- runs
run() { # script, pgbench arguments: prints transactions per second
  local script=$1; shift
  pgbench -n -M prepared -D n="$N" "$@" -f "$script" 2>"$WORK/err" |
    awk '/^tps = /{t=$3} /number of failed/{f=$5} END{if (t == "" || f + 0 > 0) exit 1; print t}' || { cat "$WORK/err" >&2; exit 1; }
}
put() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>"$OUT"; } # round test option figure
times() { awk -v a="$1" -v b="$2" 'BEGIN{printf "%.3f", a * b}'; }
ms() { awk -v a="$1" 'BEGIN{printf "%.3f", 1000 / a}'; }

for q in "SELECT 'a', pg_total_relation_size('a.contacts'), pg_total_relation_size('a.field_value_uses')" \
  "SELECT 'a70', pg_total_relation_size('a70.contacts'), pg_total_relation_size('a70.field_value_uses')" \
  "SELECT 'b', pg_total_relation_size('b.contacts'), pg_total_relation_size('b.field_value_uses')" \
  "SELECT 'c', pg_total_relation_size('c.contacts'), pg_total_relation_size('c.field_values')" \
  "SELECT 'd', pg_total_relation_size('d.contacts'), 0"; do
  IFS='|' read -r s x y < <(sql -c "$q")
  put 0 '6 size, MB' "$s" $(((x + y) / 1000000))
  put 0 '6 size of contacts, MB' "$s" $((x / 1000000))
  put 0 '6 size beside contacts, MB' "$s" $((y / 1000000))
done

all=(a a70 b c d)
for ((round = 1; round <= ROUNDS; round++)); do
  note "round $round"
  # Start each round at another option, so that none is always first.
  k=$((round % 5)); order=("${all[@]:k}" "${all[@]:0:k}")
  for s in "${order[@]}"; do put $round '1 bulk of new, rows/s' $s "$(times 1000 "$(run bulk_new_$s.sql -c 1 -t $BATCHES)")"; done
  for s in "${order[@]}"; do put $round '2 bulk of existing, rows/s' $s "$(times 1000 "$(run bulk_upd_$s.sql -c 1 -t $BATCHES)")"; done
  for s in "${order[@]}"; do put $round '3 read one, tps' $s "$(run read_$s.sql -c 8 -j 1 -T $SECS)"; done
  for s in "${order[@]}"; do put $round '4 replace five values, tps' $s "$(run replace_$s.sql -c 8 -j 1 -T $SECS)"; done
  for s in "${order[@]}"; do
    case $s in a | b | c)
      for f in 1 5; do put $round "5 first page, field $f, ms" $s "$(ms "$(run page${f}_$s.sql -c 1 -T 1)")"; done
      put $round '5 exact total, field 1, ms' $s "$(ms "$(run total1_$s.sql -c 1 -T 1)")"
      put $round '5 exact total, field 5, ms' $s "$(ms "$(run total5_$s.sql -c 1 -t 1)")" ;;
    esac
    [ $s = c ] && for f in 1 5; do put $round "5 exact total by count(distinct), field $f, ms" c "$(ms "$(run scan${f}_c.sql -c 1 -t 1)")"; done
    [ $s = d ] && for f in 1 5; do put $round "5 first page, field $f, ms" d "$(ms "$(run page${f}_d.sql -c 1 -t 1)")"; done
    true
  done
  for s in "${order[@]}"; do
    one=$(run bulk_new_$s.sql -c 1 -t $BATCHES); two=$(run bulk_new_$s.sql -c 2 -j 1 -t $BATCHES)
    put $round '7 one bulk writer, rows/s' $s "$(times 1000 "$one")"
    put $round '7 two bulk writers, rows/s together' $s "$(times 1000 "$two")"
    put $round '7 time of two over time of one' $s "$(awk -v a="$one" -v b="$two" 'BEGIN{printf "%.3f", 2 * a / b}')"
  done
  for s in "${order[@]}"; do put $round '7 creates, same values, 8 clients, tps' $s "$(run create_hot_$s.sql -c 8 -j 1 -T $SECS)"; done
  # A commit that waits 2 ms longer simulates a slower disk. Needs a superuser.
  for s in a d; do put $round '7 creates, same values, slow commit, 8 clients, tps' $s "$(PGOPTIONS='-c commit_delay=2000 -c commit_siblings=0' run create_hot_$s.sql -c 8 -j 1 -T $SECS)"; done
  for s in "${order[@]}"; do put $round '7 creates, mixed values, 8 clients, tps' $s "$(run create_mixed_$s.sql -c 8 -j 1 -T $SECS)"; done
  for s in "${order[@]}"; do put $round '7 creates, mixed values, 1 client, tps' $s "$(run create_mixed_$s.sql -c 1 -T $SECS)"; done
done

# ------------------------------------------------- are the counts right?
for s in a a70 b; do
  put 0 '8 counted values that differ from a recount' $s "$(sql -c "
    SELECT count(*) FROM (SELECT v.field_id, v.value_digest, count(*) AS uses FROM $s.contacts AS t
      CROSS JOIN LATERAL m.vals_of(custom->>'department', custom->>'newsletter', custom->>'start_date', custom->>'score', custom->>'reference') AS v
     WHERE deleted_at IS NULL GROUP BY 1, 2) AS x
    FULL JOIN $s.field_value_uses AS u USING (field_id, value_digest) WHERE x.uses IS DISTINCT FROM u.uses")"
done
put 0 '8 deadlocks' all "$(sql -c 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')"

# ----------------------------------------------------------------- report
sql -c "SELECT version()"
sql -c "SELECT name || ' = ' || current_setting(name) FROM pg_settings WHERE name IN ('shared_buffers', 'work_mem', 'synchronous_commit', 'fsync', 'max_wal_size', 'checkpoint_timeout', 'autovacuum')"
echo "contacts: $N, rounds: $ROUNDS, seconds per run: $SECS, bulks per run: $BATCHES"
echo 'medians (lowest .. highest)'
sort -t $'\t' -k2,2 -k3,3 -k4,4g "$OUT" | awk -F '\t' '
  function out() { if (n) printf "%-52s %-4s %12.3f  (%.3f .. %.3f)\n", t, s, (n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2), v[1], v[n] }
  $2 != t || $3 != s { out(); n = 0; t = $2; s = $3 }
  { v[++n] = $4 + 0 } END { out() }'
