# SPDX-License-Identifier: BSD-2-Clause
# One document of all inputs below a directory: their pages in order, a bookmark for each file, and --resume.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
mkdir -p in/sub
top 400 receipt in/a.png
top 500 form in/sub/Über.png
"$PLATEN" -q -f pdf -o in/b.pdf in/a.png in/sub/Über.png # two scans
run() { "$PLATEN" -q --stats=json --resume --join=book -f pdf,txt -o out "$@" 2>stats || { echo "exit $?"; grep platen: stats; }; python3 -c '
import json; s = json.loads(open("stats").readlines()[-1]); print({k: s[k] for k in ("pages", "done", "failed", "skipped")})'; }
outline() { qpdf --json --json-key=outlines "$1" | python3 -c '
import json, sys
def show(marks, depth):
    for m in marks:
        print("  " * depth + m["title"], "on page", m["destpageposfrom1"])
        show(m["kids"], depth + 1)
show(json.load(sys.stdin)["outlines"], 0)'; }
run in
"$PLATEN" -q --join=same.PDF -f pdf -o in-capitals in && find in-capitals -name 'same*'
find out -type f | sort
pdfinfo out/book.pdf | grep ^Pages
outline out/book.pdf
qpdf --check out/book.pdf >check || cat check
if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage out/book.pdf 2>&1; fi
for i in 1 2 3 4; do pdftotext -f $i -l $i out/book.pdf - | tr -s '[:space:]' ' ' | cut -c 1-20; done
"$PLATEN" -q -f pdf in | cmp - out/book.pdf && echo "as one stream"
for j in 1 2 7; do "$PLATEN" -q -j$j --join -f pdf,txt,textpdf -o j$j in && cmp j$j/all.pdf out/book.pdf; done
cmp j1/all.text.pdf j7/all.text.pdf && outline j7/all.text.pdf
run in
echo "an output that is gone, an input that changed, came, went, another order"
rm out/book.pdf && run in
touch -d 2020-01-02 in/a.png && run in
cp in/a.png in/c.png && run in && outline out/book.pdf | tail -1
rm in/c.png && run in && cmp out/book.pdf j1/all.pdf
run in/sub in/a.png && outline out/book.pdf
run in/sub in/a.png
echo "a page that fails is left out, and tried again"
head -c 900 in/a.png >in/cut.png
run in
pdfinfo out/book.pdf | grep ^Pages
run in
rm in/cut.png
echo "one PDF stays"
"$PLATEN" -q --join -f pdf -o one/ in/b.pdf
cmp -n "$(wc -c <in/b.pdf)" in/b.pdf one/all.pdf && outline one/all.pdf | wc -l
echo "what cannot be"
exits 2 "$PLATEN" -q --join -f txt -o out in
exits 2 "$PLATEN" -q --join=x/y -f pdf -o out in
exits 2 "$PLATEN" -q --join=x -f pdf -o one.pdf in
exits 2 "$PLATEN" -q --join --shard 1/2 -f pdf -o out in
"$PLATEN" -q --join -f pdf -o one.pdf in && cmp one.pdf j1/all.pdf && echo "a stream is joined as it is"
mkdir here && cp in/a.png in/b.pdf here && mv here/b.pdf here/all.pdf
exits 1 "$PLATEN" -q --join -f pdf -o here here
cmp here/all.pdf in/b.pdf
find . -name '.platen-tmp*'
