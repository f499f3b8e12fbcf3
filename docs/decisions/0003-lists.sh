#!/usr/bin/env bash
# Measures how totals, deep pages, substring search and distinct values can be answered.
# Every figure in 0003-lists.md was measured with this script.
#
#   cargo xtask seed --contacts 1000000 --database-url postgres://…
#   cargo xtask seed --contacts 1000000 --database-url sqlite://lists.db
#   POSTGRES=postgres://… SQLITE=lists.db ./0003-lists.sh
#
# Needs bash, psql, and a python3 (PYTHON) with SQLite 3.43 or newer, its own or that of the package
# pysqlite3-binary. It writes nothing. Each figure is the median of ROUNDS runs (5), in milliseconds,
# after one that is not counted.
set -euo pipefail
ROUNDS=${ROUNDS:-5}

postgres() { # label, statement
  local times
  times=$(for _ in $(seq 0 "$ROUNDS"); do
    psql "$POSTGRES" -X -q -At -v ON_ERROR_STOP=1 -c "SET max_parallel_workers_per_gather = 0" \
      -c "SET statement_timeout = '60s'" -c "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY) $2" |
      awk '/^Execution Time/ { print $3 }'
  done | tail -n "$ROUNDS" | sort -g | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }')
  printf 'postgres\t%s\t%s\n' "$1" "$times"
}

company=$(psql "$POSTGRES" -X -q -At -c "SELECT company_id FROM contact_counts ORDER BY active DESC LIMIT 1")
field=$(psql "$POSTGRES" -X -q -At -c "SELECT id FROM fields WHERE company_id = '$company' AND key = 'string1'")
active="company_id = '$company' AND deleted_at IS NULL"
total=$(psql "$POSTGRES" -X -q -At -c "SELECT active FROM contact_counts WHERE company_id = '$company'")
near_end=$((total - total / 10))

postgres "total, counted" "SELECT count(*) FROM contacts WHERE $active"
postgres "total, kept" "SELECT active FROM contact_counts WHERE company_id = '$company'"
order="ORDER BY last_name_folded, id"
postgres "page at nine tenths, whole rows" "SELECT * FROM contacts WHERE $active $order LIMIT 100 OFFSET $near_end"
postgres "page at nine tenths, rows joined after" \
  "SELECT contacts.* FROM (SELECT company_id, id FROM contacts WHERE $active $order LIMIT 100 OFFSET $near_end) AS page JOIN contacts USING (company_id, id)"
postgres "page at nine tenths, from the nearer end" \
  "SELECT contacts.* FROM (SELECT company_id, id FROM contacts WHERE $active ORDER BY last_name_folded DESC, id DESC LIMIT 100 OFFSET $((total - near_end - 100))) AS page JOIN contacts USING (company_id, id)"
postgres "page in the middle, rows joined after" \
  "SELECT contacts.* FROM (SELECT company_id, id FROM contacts WHERE $active $order LIMIT 100 OFFSET $((total / 2))) AS page JOIN contacts USING (company_id, id)"
search="email_folded LIKE '%.4321@%' OR first_name_folded LIKE '%.4321@%' OR last_name_folded LIKE '%.4321@%'"
postgres "search of one person, no index" "SELECT id FROM contacts WHERE $active AND ($search)"
indexed="(split_part(email_folded, '@', 1) || '@' || E'\n' || first_name_folded || E'\n' || last_name_folded)"
postgres "search of one person, trigrams" "SELECT id FROM contacts WHERE $active AND $indexed LIKE '%.4321@%'"
postgres "search of two characters" "SELECT count(*) FROM contacts WHERE $active AND search_text LIKE '%z@%'"
postgres "distinct values, of the documents" \
  "SELECT DISTINCT field_values ->> 'string1' FROM contacts WHERE $active"
postgres "distinct values, kept" \
  "SELECT value FROM field_value_uses WHERE company_id = '$company' AND field_id = '$field' ORDER BY sort_key, identity LIMIT 100"

ROUNDS=$ROUNDS "${PYTHON:-python3}" - "$SQLITE" <<'PYTHON'
import os, statistics, sys, time
try:
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3
base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
company, total = base.execute("SELECT company_id, active FROM contact_counts ORDER BY active DESC").fetchone()
field = base.execute("SELECT id FROM fields WHERE company_id = ? AND key = 'string1'", (company,)).fetchone()[0]
active = "company_id = :company AND is_listed = 1"
near_end = total - total // 10
order = "ORDER BY last_name_folded, id"
turned = "ORDER BY last_name_folded DESC, id DESC"
page = "SELECT contacts.* FROM (SELECT company_id, id FROM contacts WHERE {} {} LIMIT 100 OFFSET {}) AS page JOIN contacts USING (company_id, id)"
plain = " OR ".join(f"{column}_folded LIKE '%.4321@%'" for column in ("email", "first_name", "last_name"))
found = ("(SELECT rowid AS number FROM contacts_search WHERE contacts_search MATCH '\".4321@\"') AS found "
         "CROSS JOIN contacts ON contacts.rowid = found.number")
begins = "{0}_folded >= 'zo' AND {0}_folded < 'zp'".format
either = " OR ".join(begins(column) for column in ("email", "first_name", "last_name"))
listed = "company_id = :company AND is_listed = 1"
ranges = " UNION ".join(f"SELECT rowid FROM contacts INDEXED BY contacts_by_{column} WHERE {listed} AND {begins(column)}"
                        for column in ("email", "first_name", "last_name"))
end = ("SELECT id FROM contacts INDEXED BY contacts_by_{} WHERE " + listed + " AND first_name_folded >= 'zo' "
       "ORDER BY email_folded, id LIMIT 25").format
for label, statement in [
    ("total, counted", f"SELECT count(*) FROM contacts WHERE {active}"),
    ("total, kept", "SELECT active FROM contact_counts WHERE company_id = :company"),
    ("page at nine tenths, whole rows", f"SELECT * FROM contacts WHERE {active} {order} LIMIT 100 OFFSET {near_end}"),
    ("page at nine tenths, rows joined after", page.format(active, order, near_end)),
    ("page at nine tenths, from the nearer end", page.format(active, turned, total - near_end - 100)),
    ("page in the middle, rows joined after", page.format(active, order, total // 2)),
    ("search of one person, no index", f"SELECT id FROM contacts WHERE {active} AND ({plain})"),
    ("search of one person, trigrams",
     f"SELECT id FROM contacts WHERE {active} AND rowid IN (SELECT rowid FROM contacts_search WHERE contacts_search MATCH '\".4321@\"')"),
    ("search of one person, from the trigrams to the company", f"SELECT id FROM {found} WHERE {active}"),
    ("search of two characters", f"SELECT count(*) FROM contacts WHERE {active} AND instr(search_text, 'z@') > 0"),
    ("beginning of two characters, any of three", f"SELECT count(*) FROM contacts WHERE {active} AND ({either})"),
    ("beginning of two characters, three ranges", f"SELECT count(*) FROM ({ranges})"),
    ("page at the end, walked", end("email")),
    ("page at the end, all matches sorted", end("first_name")),
    ("distinct values, of the documents", f"SELECT DISTINCT field_values ->> 'string1' FROM contacts WHERE {active}"),
    ("distinct values, kept",
     "SELECT value FROM field_value_uses WHERE company_id = :company AND field_id = :field ORDER BY sort_key, identity LIMIT 100"),
]:
    times = []
    for _ in range(int(os.environ["ROUNDS"]) + 1):
        begun = time.perf_counter()
        base.execute(statement, {"company": company, "field": field}).fetchall()
        times.append((time.perf_counter() - begun) * 1e3)
    print(f"sqlite\t{label}\t{statistics.median(times[1:]):.3f}")
PYTHON
