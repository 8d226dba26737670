# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
sample_pages in
blank in/blank.pgm 300 200
"$PLATEN" -f pdf,txt -o out in
"$PLATEN" -f pdf -o all.pdf in
for f in out/*.pdf all.pdf; do
    qpdf --check "$f" >check 2>&1 || cat check
    grep -q "No syntax or stream encoding errors" check || cat check
done
"$PLATEN" -f pdf in | cmp - all.pdf
pdfinfo all.pdf | grep -E '^(Pages|Title|Creator|CreationDate)'
pdfimages -list out/fax.pdf | awk 'NR == 3 { print "fax:", $6, $8, "bit", $9 }'
pdfimages -png out/fax.pdf unpacked
for f in in/fax.png unpacked-000.png; do "$PLATEN" -p gray -f pnm -o $(basename $f .png).pnm $f; done
tail -c 10000 fax.pnm >a && tail -c 10000 unpacked-000.pnm | cmp - a && echo "fax: same pixels"
pdfinfo out/fax.pdf | grep 'Page size'
"$PLATEN" -f pdf -o none.pdf in/none.png 2>/dev/null || [ ! -e none.pdf ]
python3 - <<'PY'
import glob, subprocess
photo = open("in/photo.jpg", "rb").read()
print("jpeg untouched:", photo in open("out/photo.pdf", "rb").read())
# the words that a reader finds are those that were read, in the file's order and in that of their places:
# columns.png is askew by two degrees
for pdf in sorted(glob.glob("out/*.pdf")):
    read = open(pdf[:-3] + "txt").read()
    for order in ["-raw"], []:
        text = subprocess.run(["pdftotext", *order, pdf, "-"], capture_output=True, check=True).stdout.decode()
        if sorted(text.split()) != sorted(read.split()):
            print(pdf, order, set(text.split()) ^ set(read.split()))
# and they stand where the words of the picture stand
import json, re
import xml.etree.ElementTree as ET
subprocess.run(["pdftotext", "-bbox", "out/letter.pdf", "bbox.html"], check=True)
found = [e for e in ET.parse("bbox.html").iter() if e.tag.endswith("word")]
page = json.loads(subprocess.run(["sh", "-c", '"$PLATEN" -f ndjson in/letter.png'], capture_output=True).stdout)
words = [w for b in page["blocks"] for l in b["lines"] for w in l["words"]]
scale = page["dpi"][0] / 72
off = [abs(float(e.get("xMin")) * scale - w["box"][0]) + abs(float(e.get("xMax")) * scale - w["box"][2])
       for e, w in zip(found, words)]
print("places agree:", len(found) == len(words), max(off) < 12)
# a picture that EXIF turns is turned in the document, too
def exif(orientation):
    tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0" + bytes([orientation]) + b"\0\0\0\0\0\0"
    return b"\xff\xe1" + (len(tiff) + 8).to_bytes(2, "big") + b"Exif\0\0" + tiff
def shrunk(raw):
    head, size, top, data = raw.split(b"\n", 3)
    w, h = map(int, size.split())
    rows = [data[y * w:(y + 1) * w] for y in range(h)]
    return [[sum(sum(r[x * w // 8:(x + 1) * w // 8]) for r in rows[y * h // 8:(y + 1) * h // 8])
             / ((w // 8) * (h // 8)) for x in range(8)] for y in range(8)]
for o in range(1, 9):
    open("turned.jpg", "wb").write(photo[:2] + exif(o) + photo[2:])
    subprocess.run(["sh", "-c", '"$PLATEN" -q -f pdf -o t.pdf turned.jpg;'
                    '"$PLATEN" -p gray -f pnm -o want.pgm turned.jpg; pdftoppm -r 60 -gray t.pdf t'], check=True)
    a, b = shrunk(open(glob.glob("t-*.pgm")[0], "rb").read()), shrunk(open("want.pgm", "rb").read())
    worst = max(abs(p - q) for r, s in zip(a, b) for p, q in zip(r, s))
    print("orientation", o, "same picture" if worst < 12 else worst)
PY
