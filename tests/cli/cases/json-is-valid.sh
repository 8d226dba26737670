# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir in
pgm in/a.pgm 60 40
blank in/b.pgm 60 40
echo broken >in/c.pgm
cp in/a.pgm "in/$(printf 'q"\\u\001.pgm')"
"$PLATEN" -q -p 'gray | lines' -f ndjson --times in >ndjson 2>err || echo "exit $?"
"$PLATEN" -q -p 'gray | lines' -f json -o out in 2>>err || echo "exit $?"
"$PLATEN" -q -p 'gray | lines' -f ndjson --stats=json in >again 2>stats || true
python3 - <<'PY'
import glob, json
pages = [json.loads(line) for line in open("ndjson")]
print([p["path"] for p in pages])
print([p["status"] for p in pages])
assert all("ms" in p for p in pages if p["status"] == "ok")
assert all("ms" not in json.loads(line) for line in open("again"))
print(len([json.load(open(f)) for f in glob.glob("out/*.json")]))
s = json.loads(open("stats").readlines()[-1]) # behind what failed
print(s["pages"], s["done"], s["failed"], sorted(s["core_s"]))
PY
