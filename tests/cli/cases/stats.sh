# SPDX-License-Identifier: BSD-2-Clause
# Figures of a run: their members, the counts that are certain, and each of them in the manual.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3 4 5; do pgm in/$i.pgm 60 40; done
echo broken >in/6.pgm
mkfifo 0.pgm
# the first page comes last: the others are made meanwhile, and wait for their turn
"$PLATEN" -q -j2 -p 'gray | lines' -f json -o out/ --stats=json 0.pgm in 2>stats &
pid=$!
while [ "$(ls out/*.json 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.02; done
sleep 0.2
cat in/1.pgm >0.pgm
status=0
wait $pid || status=$?
echo "exit $status"
"$PLATEN" -q -p gray -f pnm -o one/ --stats in/1.pgm 2>text
sed 's/[0-9][0-9.]*/N/g; s/N threads, .* kernels/N threads, ISA kernels/' text
python3 - <<'PY'
import json, os, re
s = json.loads(open("stats").readlines()[-1])
stages = ["decode", "preprocess", "detect", "recognize", "output"]
print(list(s))
for stage, t in s["page_ms"].items():
    print(stage, t["pages"], list(t), 0 <= t["p50"] <= t["p90"] <= t["p99"])
assert list(s["page_ms"]) == stages + ["total"] == list(s["core_s"])
waiting = s["waiting"]
print(waiting["memory"], "turn:", 4 <= waiting["turn"]["max"] <= 6, 0 < waiting["turn"]["mean"] < 6, s["models"])
manual = open(os.path.join(os.environ["SOURCE"], "man", "platen.1")).read()
manual = set(re.findall(r"\w+", manual[manual.index(".Sh STATISTICS"):manual.index(".Sh ENVIRONMENT")]))
def members(value):
    return {k for name in value for k in [name, *members(value[name])]} if isinstance(value, dict) else set()
print("not in the manual:", sorted(members(s) - manual))
PY
