# SPDX-License-Identifier: BSD-2-Clause
# --pages: of files of several pages, of pictures, in streams and directories that are resumed; labels of pages of a PDF.
. "$CASES/_lib.sh"
"$PLATEN" detect-features | grep -q 'libtiff *not' && skip "built without libtiff"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
cp "$SOURCE/tests/fuzz/corpus/tiff/pages.tif" scan.tif
pgm one.pgm 300 200
numbers() { grep -o '"page":[0-9]*\(,"page_label":"\(\\.\|[^"\]\)*"\)*' | tr "\n" " "; echo; }
"$PLATEN" -p gray -f ndjson --pages 2- scan.tif | numbers
"$PLATEN" -p gray -f ndjson --pages 3,1 scan.tif | numbers
exits 1 "$PLATEN" -p gray -f ndjson --pages 7-9,3 scan.tif one.pgm | numbers
exits 2 "$PLATEN" -p gray -f ndjson --pages 3-2 scan.tif
# below a directory the pages of two runs come together; one stream of other pages is left alone
"$PLATEN" -p gray -f json -o out/ --pages 1 scan.tif
"$PLATEN" -p gray -f json -o out/ --resume --stats=json --pages 1-2 scan.tif 2>&1 | grep -o '"skipped": *[0-9]*'
ls out
"$PLATEN" -p gray -f ndjson -o all.ndjson --pages 2-3 scan.tif
exits 2 "$PLATEN" -p gray -f ndjson -o all.ndjson --resume --pages 1-3 scan.tif 2>&1
numbers <all.ndjson
# a list, and the shares of two machines
echo scan.tif | "$PLATEN" -p gray -f ndjson --pages 2 --files-from - | numbers
for i in 1 2; do "$PLATEN" -q -p gray -f ndjson --pages 1-2 --shard $i/2 scan.tif; done | numbers
python3 - <<'PY'
pages, kids = "", ""
for i in range(3):
    pages += "%d 0 obj<</Type/Page/Parent 2 0 R>>endobj\n" % (10 + i)
    kids += "%d 0 R " % (10 + i)
open("labels.pdf", "w").write("%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r/P(<&\\042)>>2<</S/D>>]>>>>"
    "endobj\n2 0 obj<</Type/Pages/Kids[%s]/Count 3/MediaBox[0 0 72 72]>>endobj\n%strailer<</Root 1 0 R>>\n" % (kids, pages))
PY
"$PLATEN" -p gray -f ndjson labels.pdf | numbers
"$PLATEN" -p gray -f ndjson --isolate --pages 2 labels.pdf | numbers
if [ -f "$SOURCE/models/eng.platen" ]; then
    "$PLATEN" -f hocr,alto,page,html -o told --pages 2 labels.pdf
    grep -ho 'lpageno [^;]*;[^;]*;[^;]*;[^;]*;[^;]*;\|PRINTED_IMG_NR="[^"]*"\|custom="[^"]*"\|labelled [^<]*<' told/*
    for f in told/*.xml told/*.hocr; do python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' $f; done
fi
