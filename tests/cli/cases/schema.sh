# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
sample_pages in
blank in/blank.pgm 300 200
echo broken >in/c.pgm
"$PLATEN" -q -f ndjson --times in >pages 2>/dev/null || true
"$PLATEN" -q -f ndjson in >>pages 2>/dev/null || true
"$PLATEN" -q -p 'gray | lines' -f ndjson in >>pages 2>/dev/null || true
"$PLATEN" -q -p gray -f json in/letter.png | tr -d '\n' >>pages
python3 - <<'PY'
import copy, json, os, sys
sys.path.insert(0, os.path.join(os.environ["CASES"], ".."))
import schema
rules = json.load(open(os.path.join(os.environ["SOURCE"], "src/output/page.schema.json")))
pages = [json.loads(line) for line in open("pages")]
for p in pages:
    for fault in schema.faults(p, rules, rules):
        print(p["path"], fault)
print(len(pages), "pages fit")

def places(value, at=()):
    """The way to every member of every object and list."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield at + (key,)
        yield from places(value[key], at + (key,))

# what the schema is for: a page that is spoilt in any one place does not fit
page = next(p for p in pages if "ms" in p and p["blocks"])
page["blocks"] = page["blocks"][:1]
page["blocks"][0]["lines"] = page["blocks"][0]["lines"][:1]
page["leftover"]["boxes"] = [[1, 2, 3, 4]]
page["leftover"]["unread_boxes"] = [{"box": [1, 2, 3, 4], "conf": 0.5}]
tried = missed = 0
for way in places(page):
    spoilt = copy.deepcopy(page)
    inner = spoilt
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = False
    tried += 1
    if not list(schema.faults(spoilt, rules, rules)):
        missed += 1
        print("fits though", way, "is false")
print("spoilt pages:", tried > 50, "missed:", missed)
PY
