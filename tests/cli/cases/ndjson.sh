# SPDX-License-Identifier: BSD-2-Clause
# The members of ndjson for data bases, and --slim.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
needs_samples
mkdir in
cp "$SOURCE/samples/pages/letter.png" in/a.png
blank in/b.pgm 300 200
echo broken >in/c.pgm
echo AT\&TFORM >in/d.png
head -c 200 in/a.png >in/e.png
pgm in/f.pgm 2000 2000
mkdir in/g.png && rmdir in/g.png && ln -s nowhere in/g.png
"$PLATEN" -q --max-pixels 3900000 -f ndjson in >pages 2>/dev/null || true
"$PLATEN" -q --max-pixels 3900000 --slim -f ndjson in >slim 2>/dev/null || true
"$PLATEN" -q -f txt in/a.png >a.txt
"$PLATEN" -q -f json in/a.png >a.json
"$PLATEN" -q --slim -f json in/a.png >slim.json
"$PLATEN" -q -p gray -f ndjson in/b.pgm >gray
python3 - <<'PY'
import json
pages = {p["path"][-5:]: p for p in map(json.loads, open("pages"))}
for name in sorted(pages):
    p = pages[name]
    print(name, p["program"].split()[0], p["model"].split()[0], p["status"], p.get("code"))
a = pages["a.png"]
assert a["text"] == open("a.txt", encoding="utf-8").read()
words = [w for b in a["blocks"] for l in b["lines"] for w in l["words"]]
n = sum(len(w["text"]) for w in words)
assert abs(a["conf"] - sum(w["conf"] * len(w["text"]) for w in words) / n) < 1e-3, a["conf"]
print("blank:", pages["b.pgm"]["text"] == "", pages["b.pgm"]["conf"])

def without(value, keys):
    if isinstance(value, dict):
        return {k: without(v, keys) for k, v in value.items() if k not in keys}
    return [without(v, keys) for v in value] if isinstance(value, list) else value

full = json.load(open("a.json"))
assert without(a, ["text", "conf", "program", "model"]) == without(full, ["text", "conf"])
print("json has", [k for k in ("text", "conf", "program", "model") if k in full])
cut = ["char_conf", "quad"]
assert [without(p, cut) for p in pages.values()] == [json.loads(line) for line in open("slim")]
assert without(full, cut) == json.load(open("slim.json"))
print("slim is shorter:", 5 * len(open("slim").read()) < 3 * len(open("pages").read()))
g = json.load(open("gray"))
print("a page that is not read:", [k for k in ("text", "conf", "program", "model") if k in g])
PY
echo "an earlier run without --slim is no such run"
"$PLATEN" -q -f json -o out/ in/a.png
"$PLATEN" -q --resume --slim -f json -o out/ in/a.png
cmp out/a.json slim.json
