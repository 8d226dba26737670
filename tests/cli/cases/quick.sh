# SPDX-License-Identifier: BSD-2-Clause
# A model with a smaller network beside it that reads lines first.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.quick.platen" ] || skip "no model in the tree"
page=$SOURCE/samples/pages/form.png
mkdir plain with other
cp "$SOURCE/models/eng.platen" plain
cp "$SOURCE/models/eng.platen" "$SOURCE/models/eng.quick.platen" with
cp "$SOURCE/models/eng.platen" other
# strips OPTION... FILE: how many strips of lines the networks of a run have read
strips() { "$PLATEN" -q -j1 --stats=json -f txt -o lines.txt "$@" 2>&1 | sed 's/.*"calls": [0-9]*, "lines": \([0-9]*\).*/\1/'; }
letter=$SOURCE/samples/pages/letter.png
plain=$(strips --model plain/eng.platen "$letter") with=$(strips --model with/eng.platen "$letter")
[ "$with" -gt "$plain" ] && [ "$with" -lt $((2 * plain)) ] && echo "some lines are read twice, not all"

# of a page on which it is not sure of most of four lines it reads no others
"$PLATEN" -q -p gray -f pnm -o russian.pgm "$SOURCE/tests/data/scripts/russian.png"
python3 - <<'PY' # one below the other
import re
data = open("russian.pgm", "rb").read()
head = re.match(rb"P5\s(\d+)\s(\d+)\s255\s", data)
width, height = int(head[1]), int(head[2])
open("long.pgm", "wb").write(b"P5\n%d %d\n255\n" % (width, 4 * height) + 4 * data[head.end():])
PY
unturned='gray,invert:auto | lines | ctc'
plain=$(strips -p "$unturned" --model plain/eng.platen long.pgm) with=$(strips -p "$unturned" --model with/eng.platen long.pgm)
echo "lines: $plain, and read twice: $((with - plain))"

# the same bytes for all instruction sets, threads and batches
"$PLATEN" -p @document --model with/eng.platen -f json -o want.json "$page"
"$PLATEN" detect-features --json |
    python3 -c 'import json, sys; [print(k) for k, v in json.load(sys.stdin)["isa"].items() if v == "available"]' >isas
while read -r isa; do
    "$PLATEN" -p @document --model with/eng.platen --isa $isa -f json "$page" | cmp - want.json
done <isas
"$PLATEN" -p @document --model with/eng.platen -j3 --batch-max=1 -f json "$page" | cmp - want.json

# it belongs to what a page depends on
"$PLATEN" -q -p @document --model plain/eng.platen -f json -o out/ "$page"
cp with/eng.quick.platen plain
"$PLATEN" -p @document --model plain/eng.platen --resume -f json -o out/ "$page" 2>&1 | sed "s|$SOURCE/||"
cmp out/*.json want.json

# one that does not fit, and one that is broken
cp "$SOURCE/models/cyrillic-greek.platen" other/eng.quick.platen
exits 2 "$PLATEN" -p @document --model other/eng.platen "$page"
head -c 1000 with/eng.quick.platen >other/eng.quick.platen
exits 2 "$PLATEN" -p @document --model other/eng.platen "$page" 2>&1 | sed "s/tells [0-9]*/tells N/"
