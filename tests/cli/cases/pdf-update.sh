# SPDX-License-Identifier: BSD-2-Clause
# A PDF of scans gets a layer of text: its bytes stay, and readers find the words where they stand.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
cat >scan.py <<'PY'
# A document of one sample page, turned in several ways, with a cropped page and fonts of its own.
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
w, h, image = scans.picture(os.environ["SOURCE"] + "/samples/pages/receipt.png")
content = b"q %f 0 0 %f 20 30 cm /I Do Q 1 0 0 1 7 7 cm q" % (w, h)  # the state is left changed
pages = [b"", b"/Rotate 90", b"/Rotate 180", b"/Rotate -90", b"/CropBox[20 30 %f %f]" % (20 + w, 30 + h)]
objects = [b"<</Type/Catalog/Pages 2 0 R/Lang(en)/PageLabels<</Nums[0<</S/r>>]>>>>",
           b"<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 %f %f]/Resources<</Font<</Platen<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>"
           b"/XObject<</I 3 0 R>>>>>>" % (len(pages), b" ".join(b"%d 0 R" % (5 + i) for i in range(len(pages))), w + 40, h + 60),
           image, scans.stream(b"", content)]
objects += [b"<</Type/Page/Parent 2 0 R/Contents %s%s>>" % (b"4 0 R" if i % 2 else b"[4 0 R]", p) for i, p in enumerate(pages)]
scans.write_objects("table.pdf", objects)
PY
python3 scan.py
qpdf --object-streams=generate table.pdf stream.pdf
qpdf --linearize table.pdf linear.pdf
qpdf --encrypt '' owner 256 -- table.pdf encrypted.pdf
head -c -40 table.pdf >broken.pdf
for kind in table stream linear; do
    "$PLATEN" -q -f pdf -o $kind-out.pdf $kind.pdf
    "$PLATEN" -q -f pdf $kind.pdf | cmp - $kind-out.pdf
    qpdf --check $kind-out.pdf >check 2>&1 || true
    grep -v "^checking\|^PDF Version\|not encrypted\|not linearized\|No syntax\|errors that qpdf\|linearization\|hint table\|linearized\|operation succeeded" check || :
    if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage $kind-out.pdf 2>&1; fi
done
"$PLATEN" -f ndjson table.pdf >pages.ndjson
cat >check.py <<'PY'
# every byte stays, and each word of the page stands where it was read
import json, re, subprocess
import xml.etree.ElementTree as ET
pages = [json.loads(line) for line in open("pages.ndjson")]
for kind in "table", "stream", "linear":
    before, after = open(kind + ".pdf", "rb").read(), open(kind + "-out.pdf", "rb").read()
    print(kind, "is a prefix:", after.startswith(before), "bytes a page:", (len(after) - len(before)) // len(pages) // 1000, "kB")
    # new objects take the numbers behind those of the document, without a gap
    size = max(map(int, re.findall(rb"/Size (\d+)", before)))
    fresh = [n for n in map(int, re.findall(rb"(\d+) 0 obj", after[len(before):])) if n >= size]
    print("new objects:", sorted(fresh) == list(range(size, size + len(fresh))))
    subprocess.run(["pdftotext", "-bbox", kind + "-out.pdf", "bbox.html"], check=True)
    sheets = [e for e in ET.parse("bbox.html").iter() if e.tag.endswith("}page")]
    for page, sheet in zip(pages, sheets):
        found = [e for e in sheet.iter() if e.tag.endswith("}word")]
        words = [w for b in page["blocks"] for l in b["lines"] for w in l["words"]]
        scale = 72 / page["dpi"][0]
        # of the page's corners to the picture's: cropped pages have none, turned ones two of these
        x = (float(sheet.get("width")) - page["width"] * scale, 20, 30)
        texts = sorted(e.text for e in found) == sorted(w["text"] for w in words)
        near = []
        for e, w in zip(sorted(found, key=lambda e: e.text), sorted(words, key=lambda w: w["text"])):
            near.append((float(e.get("xMin")) - w["box"][0] * scale, float(e.get("yMin")) - w["box"][1] * scale))
        spread = [max(n[i] for n in near) - min(n[i] for n in near) for i in (0, 1)] if near else [99, 99]
        if kind == "table":
            mid = sorted(n[0] for n in near)[len(near) // 2], sorted(n[1] for n in near)[len(near) // 2]
            print("page", page["page"], page["page_label"], "same words:", texts, "the picture begins at %.0f %.0f" % mid)
        elif not texts:
            print(kind, page["page"], "differs")
PY
python3 check.py
pdfinfo table-out.pdf | grep -c 'Pages: *5'
qpdf --json --json-key=pagelabels table-out.pdf | grep -o '"/S": "/r"'
# no second layer, no document with other pages, none that cannot be added to
"$PLATEN" -v -f pdf -o again.pdf table-out.pdf 2>&1 | grep table-out
cmp again.pdf table-out.pdf && echo "no second layer"
"$PLATEN" -q -f pdf --pages 2 -o one.pdf table.pdf && pdftotext one.pdf - | tr -dc '\f' | wc -c && pdftotext -l 1 one.pdf - | wc -w
exits 1 "$PLATEN" -q -f pdf -o no.pdf --pages 1 encrypted.pdf
exits 1 "$PLATEN" -q -f pdf -o no.pdf --pages 1 broken.pdf
[ ! -e no.pdf ] || echo "a document without any page that was read"
exits 1 "$PLATEN" -q -f pdf encrypted.pdf 2>/dev/null | wc -c
# its other formats are written all the same, whatever their order
for formats in pdf,txt txt,pdf; do
    exits 1 "$PLATEN" -q -f $formats -o locked --pages 1 encrypted.pdf 2>/dev/null
    grep -c NORTHGATE locked/*.txt
    rm -r locked
done
# where its objects are read makes no difference
for when in off on; do
    "$PLATEN" -q --isolate=$when -f pdf -o isolated.pdf table.pdf && cmp isolated.pdf table-out.pdf && echo "the same"
done
# pictures that stand out over the edges of the page are cut where the page is written anew, too
cat >over.py <<'PY'
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
w, h, image = scans.picture(os.environ["SOURCE"] + "/samples/pages/receipt.png")
content = scans.stream(b"", b"q %f 0 0 %f -10 -10 cm /I Do Q q 20 0 0 30 10 10 cm /I Do Q" % (w, h))
scans.write_objects("over.pdf", [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[5 0 R]>>", image, content,
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Resources<</XObject<</I 3 0 R>>>>/Contents 4 0 R>>" % (w - 20, h - 20)])
PY
python3 over.py
"$PLATEN" -q -f html -o over.html over.pdf
"$PLATEN" -q -f pdf --join -o anew.pdf over.pdf
[ "$(pdfinfo over.pdf | grep 'Page size')" = "$(pdfinfo anew.pdf | grep 'Page size')" ] && pdftotext anew.pdf - | grep -c NORTHGATE
# a page that restores states of graphics that it did not save takes none of those that keep the text in its place
cat >below.py <<'PY'
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
w, h, image = scans.picture(os.environ["SOURCE"] + "/samples/pages/receipt.png")
content = scans.stream(b"", b"q %f 0 0 %f 0 0 cm /I Do Q Q 3 0 0 3 50 50 cm Q q" % (w, h))
scans.write_objects("below.pdf", [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[5 0 R]>>", image, content,
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Resources<</XObject<</I 3 0 R>>>>/Contents 4 0 R>>" % (w, h)])
PY
python3 below.py
"$PLATEN" -q -f pdf -o below-out.pdf below.pdf
pdftotext below-out.pdf - 2>&1 | sed -n '/NORTHGATE/p;/Error/p'
