# SPDX-License-Identifier: BSD-2-Clause
# What comes through a pipe counts as memory: what is no picture is read no farther than its head,
# and a picture without end no farther than --max-mem. The figures leave room for sanitizers.
. "$CASES/_lib.sh"
peak() { { "$PLATEN" -j2 --stats=json --max-mem 100M -p 'gray | lines' -f ndjson "$@" 2>&1 >/dev/null || echo "exit $?"; } |
    python3 -c 'import json, sys
for line in sys.stdin:
    if line.startswith("{"):
        print("below 400 MB:", json.loads(line)["peak_rss_bytes"] < 400e6)
    else:
        print(line, end="")'; }
head -c 1G /dev/zero | peak -
peak /dev/zero
{ printf 'P5 30000 30000 255\n'; head -c 800M /dev/zero; } | peak -
{ printf 'P5 1000 1000 255\n'; head -c 1M /dev/zero; } | peak -
