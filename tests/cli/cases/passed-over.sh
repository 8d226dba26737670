# SPDX-License-Identifier: BSD-2-Clause
# What a directory holds beside pictures is counted; a run that reads nothing fails.
. "$CASES/_lib.sh"
mkdir -p in/sub books
pgm in/a.pgm 20 10
cp in/a.pgm in/page
cp in/a.pgm in/sub/b.ccitt
for f in in/x.xps in/Y.XPS in/photo.jxl in/Thumbs.db books/1.xps books/2.xps; do echo "AT&TFORM $f" >$f; done
: >in/.hidden.png
: >in/a.txt
: >in/a.page.xml
run() { "$PLATEN" -j1 -p gray -f ndjson "$@" | sed 's/, *"page".*//'; }
run in
run --skipped list in
cat list
echo "by content"
run --all-files --skipped list in
cat list
echo "quiet"
run -q in
echo "nothing but those"
exits 1 "$PLATEN" -p gray books
exits 1 "$PLATEN" -q -p gray books
echo "of a list"
echo in >names
echo books >>names
run --files-from names
run --files-from names --skipped - -q
echo "shares: those that are empty are no failure, unless all are"
for s in 1 2 3; do "$PLATEN" --shard $s/3 -p gray -f ndjson in/a.pgm >out.$s; done
wc -l out.? | sed -n 's/ *\([0-9]*\) total/\1/p'
exits 1 "$PLATEN" --shard 1/3 -p gray books
exits 2 "$PLATEN" --skipped in/a.pgm in
[ -s in/a.pgm ]
