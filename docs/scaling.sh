#!/bin/sh
# Calls a second for docs/scaling.md.
#
#     docs/scaling.sh ADDRESS TOKEN [DATA]
#
# ADDRESS is that of a service that runs with `--rate-limit-standard 0 --rate-limit-bulk 0`, on a database that was filled with
# `cargo xtask seed --contacts 100000`, which prints the TOKEN. Needs wrk and curl. DATA is the data directory of a PostgreSQL on
# this machine; then the processor time of its processes for each call is printed too.
set -eu
address=$1 token=$2 data=${3:-}
curl -sf "$address/health/ready" > /dev/null || { echo "no service is ready at $address" >&2; exit 1; }
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT

for page in $(seq 100); do
    curl -sgf -H "Authorization: Bearer $token" "$address/api/public/v1/contacts?page[size]=100&page[number]=$((page * 10))"
done | grep -o '"id":"[^"]*"' | cut -d '"' -f 4 > "$directory/ids"

cat > "$directory/head.lua" <<LUA
math.randomseed(os.time())
local run = os.time() .. math.random(1000000)
wrk.headers["Authorization"] = "Bearer $token"
wrk.headers["Content-Type"] = "application/json"
local root = "/api/public/v1/contacts"
LUA
script() {
    cat "$directory/head.lua" - > "$directory/$1.lua"
}
script read <<LUA
local ids = {}
for id in io.lines("$directory/ids") do ids[#ids + 1] = id end
request = function() return wrk.format("GET", root .. "/" .. ids[math.random(#ids)]) end
LUA
script list <<'LUA'
request = function() return wrk.format("GET", root .. "?sort[]=last_name&page[number]=" .. math.random(100)) end
LUA
script search <<'LUA'
request = function()
    return wrk.format("GET", root .. "?search=smith&sort[]=first_name&page[number]=" .. math.random(3))
end
LUA
script create <<'LUA'
local n = 0
request = function()
    n = n + 1
    local person = '{"email":"%s.%d@bench.example","first_name":"Ann","last_name":"Lee"}'
    return wrk.format("POST", root, nil, person:format(run, n))
end
LUA
script bulk <<'LUA'
local n = 0
request = function()
    local rows = {}
    for row = 1, 1000 do
        n = n + 1
        rows[row] = '{"email":"' .. run .. n .. '@bench.example","first_name":"Ann","last_name":"Lee"}'
    end
    return wrk.format("POST", root .. "/bulk", nil, '{"contacts":[' .. table.concat(rows, ",") .. "]}")
end
LUA

# Clock ticks that the server and its processes have used.
ticks() {
    [ -n "$data" ] || { echo 0; return; }
    server=$(head -n 1 "$data/postmaster.pid")
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) /\1 /' |
        awk -v server="$server" '$1 == server { used += $13 + $14 + $15 + $16 } $3 == server { used += $13 + $14 } END { print used + 0 }'
}

measure() {
    name=$1 clients=$2
    # wrk abandons its last requests. The service then closes their connections, and their processes end.
    wrk -t 1 -c "$clients" -d 1 -s "$directory/$name.lua" "$address" > /dev/null && sleep 1
    before=$(ticks)
    wrk -t 1 -c "$clients" -d 6 -s "$directory/$name.lua" "$address" > "$directory/result" && sleep 1
    after=$(ticks)
    awk -v name="$name" -v ticks=$((after - before)) -v second="$(getconf CLK_TCK)" '
        / requests in / { calls = $1 }
        /Requests\/sec/ { rate = $2 }
        /Non-2xx/ { failed = $0 }
        END { printf "%-7s %9.1f calls/s %6d us %s\n", name, rate, ticks / second / calls * 1e6, failed }' "$directory/result"
}
measure read 64
measure list 16
measure search 16
measure create 16
measure bulk 4
