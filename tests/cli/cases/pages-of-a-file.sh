# SPDX-License-Identifier: BSD-2-Clause
# A file of several pages: one result for each, in order, with names and labels of its own.
. "$CASES/_lib.sh"
"$PLATEN" detect-features | grep -q 'libtiff *not' && skip "built without libtiff"
cp "$SOURCE/tests/fuzz/corpus/tiff/pages.tif" scan.tif
"$PLATEN" -p gray -f ndjson scan.tif | grep -o '^."path":"[^"]*","page":[0-9]*'
"$PLATEN" -p gray -f png,json -o out/ --shard 2/3 scan.tif
ls out
# a picture that is called like a page of it
cp "$SOURCE/tests/fuzz/corpus/png/l.png" scan-0002.png
"$PLATEN" -p gray -f pnm -o both/ .
ls both
# cut inside the last page: what came of it is read, and the message names the page
head -c 1200 scan.tif >cut.tif
"$PLATEN" -p gray -f pnm -o cut/ cut.tif
ls cut
exits 2 "$PLATEN" -p gray -f png - <scan.tif
exits 0 "$PLATEN" -p gray -f png - <"$SOURCE/tests/fuzz/corpus/tiff/l-None.tif" >one.png
