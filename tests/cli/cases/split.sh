# SPDX-License-Identifier: BSD-2-Clause
# Two facing pages on one picture become two pages, with names and records of their own; a single page stays.
. "$CASES/_lib.sh"
needs_samples
mkdir in && "$PLATEN" -q -p gray -f pnm -o in/ "$SOURCE/samples/pages/letter.png"
python3 - <<'PY'
head, size, top, px = open("in/letter.pnm", "rb").read().split(b"\n", 3)
w, h = map(int, size.split())
rows = b"".join(2 * px[y * w:(y + 1) * w] for y in range(h))
open("in/book.pnm", "wb").write(b"P5\n%d %d\n255\n" % (2 * w, h) + rows)
PY
"$PLATEN" -p gray,split,deskew -f png,json -o out/ --resume in
ls out
"$PLATEN" -p 'split | lines' -f ndjson in | sed 's/,"width".*//'
# left and right say the same, each page has its form feed, and boxes lie on the scan
"$PLATEN" -p @none in/letter.pnm >one.txt && "$PLATEN" -p 'gray,split | lines | ctc' in/book.pnm >two.txt
{ cat one.txt && printf '\f' && cat one.txt; } | cmp - two.txt
# a later run finds both parts, and misses one
"$PLATEN" -p gray,split,deskew -f png,json -o out/ --resume --stats in 2>&1 | grep '^pages'
rm out/book-2.png
"$PLATEN" -p gray,split,deskew -f png,json -o out/ --resume --stats in 2>&1 | grep '^pages'
ls out/book-2.png
# steps of the parts lie beside those of the page
"$PLATEN" -p gray,split,invert -f pnm -o x/ --steps-out steps in/book.pnm && ls steps/*
# shards' records of both parts stay, and take the place of a failure
"$PLATEN" -p 'split | lines' -f ndjson in/book.pnm >a.ndjson
echo '{"path":"in/book.pnm","page":1,"status":"format","error":"cut"}' >b.ndjson
"$PLATEN" merge a.ndjson b.ndjson | sed 's/,"width".*//'
# a format of one page a file needs names for both
exits 2 "$PLATEN" -p gray,split -f png -o one.png in/book.pnm
# names that a part would share are refused, and so is a second split
cp in/letter.pnm in/book-1.pnm
exits 2 "$PLATEN" -p gray,split -f pnm -o none/ in
exits 2 "$PLATEN" -p gray,split,split -f pnm -o none/ in
