# SPDX-License-Identifier: BSD-2-Clause
# Clean pages as documents: TIFF of many pages, and PDF of what stage one leaves with the text under it.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
"$PLATEN" detect-features | grep -q "libtiff *[0-9]" || skip "built without libtiff"
mkdir -p in/sub
cp "$SOURCE/samples/pages/photo.jpg" in/a.jpg
cp "$SOURCE/samples/pages/letter.png" in/sub/b.png
pixels() { "$PLATEN" -q -p gray -f pnm -o "$1.pnms/" "$1" && for f in "$1.pnms"/*; do tail -c +16 "$f" | cksum; done; }
cat >tags.py <<'PY'
# Of each page of a TIFF: its width, height, bits, compression, photometric and number of strips; nothing lies behind its end.
import struct, sys
data = open(sys.argv[1], "rb").read()
place, = struct.unpack_from("<4xI", data)
while place:
    n, = struct.unpack_from("<H", data, place)
    fields = {t: (k, v) for t, _, k, v in struct.iter_unpack("<HHII", data[place + 2:place + 2 + 12 * n])}
    print([fields[t][1] & 0xffff if t != 273 else fields[t][0] for t in (256, 257, 258, 259, 262, 273)], "even" if place % 2 == 0 else "odd")
    place, = struct.unpack_from("<I", data, place + 2 + 12 * n)
PY
echo "a TIFF of all pages: grey deflated, black and white as fax"
"$PLATEN" -q -p gray,sauvola -f tiff -o ink.tif in
"$PLATEN" -q -p gray -f tiff -o grey.tif in
for f in grey ink; do python3 tags.py $f.tif; done
"$PLATEN" -q -p gray -f pnm -o want/ in
for f in want/a.pnm want/sub/b.pnm; do tail -c +16 $f | cksum; done >want.sums
pixels grey.tif | cmp - want.sums && echo "the same pixels"
for j in 1 2 7; do "$PLATEN" -q -j$j -p gray,sauvola -f tiff in | cmp - ink.tif; done
echo "one for each file, and one of all"
"$PLATEN" -q -p gray -f tiff -o each/ in ink.tif && find each -type f ! -name '.*' | sort
python3 tags.py each/ink.tif
"$PLATEN" -q -p gray --join -f tiff,png -o all in && cmp all/all.tif grey.tif && find all -type f ! -name '.*' | sort
"$PLATEN" -q --stats=json -p gray --join --resume -f tiff,png -o all in 2>&1 | grep -o '"skipped": *[0-9]*'
"$PLATEN" -q -p gray -f tiff --pages 1 grey.tif >one.tif && python3 tags.py one.tif
echo "a PDF of clean pages: upright, straight, and the words where they stand in it"
"$PLATEN" -q --clean-pdf -p 'gray,deskew,binarize | lines | ctc' -f pdf,ndjson,png -o clean in/sub/b.png
qpdf --check clean/b.pdf >check || cat check
if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage clean/b.pdf 2>&1; fi
pdfimages -list clean/b.pdf | awk 'NR == 3 { print $6, $8, "bit", $9 }'
pdfimages -png clean/b.pdf shown
for f in shown-000.png clean/b.png; do "$PLATEN" -p gray -f pnm $f | tail -c +16 | cksum; done | uniq | wc -l
cat >words.py <<'PY'
# The words of the PDF are those that were read from the clean picture, and lie where that has them.
import json, os, subprocess
import xml.etree.ElementTree as ET
boxes = lambda page: sorted((w["text"], *(v * 72 / page["dpi"][0] for v in w["box"])) for b in page["blocks"] for l in b["lines"] for w in l["words"])
page = json.loads(subprocess.check_output([os.environ["PLATEN"], "-q", "-p", "gray | lines | ctc", "-f", "ndjson", "clean/b.png"]))
subprocess.run(["pdftotext", "-bbox", "clean/b.pdf", "bbox.html"], check=True)
sheet = next(e for e in ET.parse("bbox.html").iter() if e.tag.endswith("}page"))
print("size agrees:", all(abs(float(sheet.get(k)) - page[k] * 72 / page["dpi"][0]) < 0.01 for k in ("width", "height")))
found = sorted((e.text, float(e.get("xMin")), float(e.get("yMin")), float(e.get("xMax")), float(e.get("yMax"))) for e in sheet.iter() if e.tag.endswith("}word"))
want = boxes(page)
print("same words:", [f[0] for f in found] == [w[0] for w in want], "beside their place:", sum(abs(f[1] - w[1]) > 2 or abs(f[3] - w[3]) > 2 for f, w in zip(found, want)))
PY
python3 words.py
echo "a PDF becomes a new one; pages that are not read have no place in it"
"$PLATEN" -q -f pdf -o scan.pdf in/sub/b.png
"$PLATEN" -q --clean-pdf -f pdf -o new.pdf scan.pdf && pdfinfo new.pdf | grep ^Pages
if cmp -s -n 1000 scan.pdf new.pdf; then echo "it stayed"; fi
exits 2 "$PLATEN" -q --clean-pdf --pdf-text skip -f pdf -o new.pdf scan.pdf
"$PLATEN" -q --stats=json --resume -f pdf -o clean in/sub/b.png 2>&1 | grep -o '"skipped": *[0-9]*'
