# SPDX-License-Identifier: BSD-2-Clause
# On a clean page an operation with its defaults leaves the words as they were: at most one in a hundred
# is lost. Left out: those that are asked to change the page (a quarter turn, one fixed threshold).
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
needs_samples
"$PLATEN" ops --json >ops.json
python3 - "$SOURCE/samples/pages" <<'PY'
import collections, json, os, subprocess, sys

def words(text):
    return collections.Counter(text.split())

def right(page, spec):
    out = subprocess.run([os.environ["PLATEN"], "-q", "-p", f"gray,{spec} | lines | ctc", page],
                         capture_output=True, text=True, check=True).stdout
    return sum((words(out) & truth).values())

ops = [o["name"] for o in json.load(open("ops.json"))["operations"] if o["stage"] == "preprocess"]
specs = [o for o in ops if o not in ("rotate", "threshold")] + ["contrast:clahe", "normalize:moments",
    "normalize:tiles=8", "border:clear", "rotate:0"]
for name in ("letter", "columns"):
    page = os.path.join(sys.argv[1], name + ".png")
    truth = words(open(os.path.join(sys.argv[1], name + ".gt.txt")).read())
    before, total = right(page, "gray"), sum(truth.values())
    for spec in specs:
        lost = before - right(page, spec)
        if lost * 100 > total:
            print(f"{name}: {spec} loses {lost} of {total} words")
PY
