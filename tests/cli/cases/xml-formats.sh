# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
sample_pages in
blank in/blank.pgm 300 200
cp in/receipt.png "in/$(printf 'q"<&>\001\377.png')"
"$PLATEN" -f hocr,alto,page -o out in
xmllint --noout --schema "$CASES/../schemas/alto.xsd" out/*.alto.xml 2>&1 | grep -vc ' validates$' || true
xmllint --noout --schema "$CASES/../schemas/page.xsd" out/*.page.xml 2>&1 | grep -vc ' validates$' || true
xmllint --noout --nonet out/*.hocr
# regions alone are PAGE, too
"$PLATEN" -p 'gray,deskew | lines' -f page in/letter.png | xmllint --noout --schema "$CASES/../schemas/page.xsd" - 2>&1
# all pages in one hOCR and one ALTO; one each in PAGE
"$PLATEN" -f hocr -o all.hocr in
"$PLATEN" -f tsv -o all.tsv in
"$PLATEN" -f ndjson -o all.ndjson in
"$PLATEN" -f alto -o all.alto.xml in
xmllint --noout --schema "$CASES/../schemas/alto.xsd" all.alto.xml 2>&1
grep -c '<Page ' all.alto.xml
exits 2 "$PLATEN" -f page in
python3 - <<'PY'
import csv, json, re
import xml.etree.ElementTree as ET
tree = ET.parse("all.hocr")
nodes = {c: [e for e in tree.iter() if e.get("class") == c]
         for c in ("ocr_page", "ocr_carea", "ocr_par", "ocr_line", "ocrx_word")}
ids = [e.get("id") for e in tree.iter() if e.get("id")]
print("pages", len(nodes["ocr_page"]), "ids differ:", len(ids) == len(set(ids)))
pages = [json.loads(line) for line in open("all.ndjson")]
words = [w for p in pages for b in p["blocks"] for l in b["lines"] for w in l["words"]]
print("words as in json:", [e.text for e in nodes["ocrx_word"]] == [w["text"] for w in words])
boxes = [list(map(int, re.match(r"bbox (\d+) (\d+) (\d+) (\d+); x_wconf (\d+)", e.get("title")).groups()))
         for e in nodes["ocrx_word"]]
print("boxes as in json:", [b[:4] for b in boxes] == [w["box"] for w in words])
print("confidences as in json:", all(abs(b[4] - 100 * w["conf"]) <= .51 for b, w in zip(boxes, words)))
rows = list(csv.DictReader(open("all.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE))
print("rows as in json:", [r["text"] for r in rows if r["level"] == "5"] == [w["text"] for w in words])
print("levels", sorted({r["level"] for r in rows}), "pages", len({r["page_num"] for r in rows}))
PY
# each region of a page stands once in its reading order, the cells of a table below that
python3 - <<'PY'
import glob
import xml.etree.ElementTree as ET
SPACE = "{http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15}"

def order(group):
    return [[e.get("regionRef"), *order(e)] if len(e) else e.get("regionRef") for e in group]

def regions(parent):
    return [[e.get("id"), *regions(e)] if e.tag == SPACE + "TableRegion" else e.get("id")
            for e in parent if e.tag in (SPACE + "TextRegion", SPACE + "TableRegion")]

tables = 0
for path in sorted(glob.glob("out/*.page.xml")):
    page = ET.parse(path).find(SPACE + "Page")
    group = page.find(f"{SPACE}ReadingOrder/{SPACE}OrderedGroup")
    found = regions(page)
    tables += sum(isinstance(r, list) for r in found)
    if (order(group) if group is not None else []) != found:
        print(path, "has another order")
print("tables:", tables > 0)
PY
# pages have the numbers that they have in their file
cp "$SOURCE/tests/fuzz/corpus/tiff/pages.tif" scan.tif
"$PLATEN" -q -f page,hocr -o numbers --pages 2-3 scan.tif
grep -ho 'ppageno [0-9]*' numbers/*.hocr
grep -ho 'pageNumber[^}]*' numbers/*.page.xml
"$PLATEN" -q -f hocr --pages 3 scan.tif | grep -o 'ppageno [0-9]*'
"$PLATEN" -q -f tsv --pages 2-3 scan.tif | cut -f1,2 | grep '^1'
"$PLATEN" -q -f hocr --pages 1-2 scan.tif in/receipt.png | grep -o 'ppageno [0-9]*'
