# SPDX-License-Identifier: BSD-2-Clause
# What shows through from the other side of the sheet is no text of the page, and is named as unread.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" "$SOURCE/tests/data/pages/show-through.png" 2>warnings
sed 's/.*: //' warnings
"$PLATEN" -q -f json "$SOURCE/tests/data/pages/show-through.png" >page.json
python3 -c "import json; print(len(json.load(open('page.json'))['leftover']['unread_boxes']), 'lines are unread')"

# who wants to keep all has it
echo "lines with --min-conf 0: $("$PLATEN" -q --min-conf 0 "$SOURCE/tests/data/pages/show-through.png" | grep -c .)"

# a picture of one line is one that somebody cut out: nothing shows through
"$PLATEN" -q -p gray -f pnm -o page.pgm "$SOURCE/tests/data/pages/show-through.png"
python3 - <<'PY'
import re
data = open("page.pgm", "rb").read()
head = re.match(rb"P5\s(\d+)\s(\d+)\s255\s", data)
width, rows = int(head[1]), range(276, 311)
open("line.pgm", "wb").write(b"P5\n%d %d\n255\n" % (width, len(rows)) + data[head.end() + rows[0] * width:][:len(rows) * width])
PY
"$PLATEN" -q -p @line --model eng --stats=json -f txt line.pgm 2>&1 >line.txt | sed 's/.*"calls": [0-9]*, "lines": \([0-9]*\).*/strips of one line: \1/'

# what stands beside it in one row is text of the page
python3 - <<'PY'
import re
data = open("page.pgm", "rb").read()
head = re.match(rb"P5\s(\d+)\s(\d+)\s255\s", data)
width, page = int(head[1]), bytearray(data[head.end():])
for y in range(130, 162):  # "the path to"
    for x in range(55, 163):
        at = (y + 147) * width + x + 112
        page[at] = min(page[at], page[y * width + x])
open("beside.pgm", "wb").write(data[:head.end()] + page)
PY
"$PLATEN" -q beside.pgm | tail -n +5

# nor is what shows through behind the page's own words in one row
python3 - <<'PY'
import re
data = open("page.pgm", "rb").read()
head = re.match(rb"P5\s(\d+)\s(\d+)\s255\s", data)
width, page = int(head[1]), bytearray(data[head.end():])
for y in range(244, 274):  # "Nobody remembers"
    page[(y - 57) * width + 560:(y - 57) * width + 712] = page[y * width + 560:y * width + 712]
    page[y * width:(y + 1) * width] = bytes([page[0]]) * width
open("behind.pgm", "wb").write(data[:head.end()] + page)
PY
"$PLATEN" -q behind.pgm
